import { expect, test } from "vitest";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { sayProblem } from "./problem-actions.ts";

const [logType] = testTypes;
const properties = {
  url: { type: "string", title: "URL" },
  retry: { type: "object", title: "Retry", properties: { maxRetries: { type: "number", title: "Attempts" } } },
};
const types = [{ ...logType, configSchema: { type: "object", properties } }];
const draft = draftOf({ nodes: [nodeOf("ask", { name: "HTTP request" })] });
const say = (path: string, message: string) => sayProblem({ path, message, nodeId: "ask" }, draft, types);

test.each([
  ["nodes[0].config.url", "is required", "“HTTP request” needs a value for URL"],
  [
    "nodes[0].config.url",
    "is required, unless flowId is given",
    "“HTTP request” needs a value for URL, unless flowId is given",
  ],
  ["nodes[0].config.retry.maxRetries", "must be a number", "“HTTP request”: Retry: Attempts must be a number"],
  ["nodes[0].config.body.nodes[1].id", "is taken", "“HTTP request”: body: nodes 2: id is taken"],
  ["nodes[0].type", "unknown node type", "“HTTP request”: unknown node type"],
])("%s %s", (path, message, expected) => expect(say(path, message)).toBe(expected));

test("a problem of the flow itself is only its message", () => {
  expect(sayProblem({ path: "nodes", message: "a flow has at most 1000 nodes" }, draft, types)).toBe(
    "a flow has at most 1000 nodes",
  );
});
