import { expect, test } from "vitest";
import { connectTemplate } from "./connect-template.ts";

const flow = {
  name: "T",
  variables: { channel: "#a", days: 3 },
  trigger: { type: "webhook", config: { credential: "callers" } },
  nodes: [
    { id: "a", config: { credential: "slack", body: { text: "slack" } } },
    {
      id: "b",
      config: {
        credential: "mail",
        tools: [{ credential: "slack" }],
        body: { nodes: [{ config: { credential: "slack" } }] },
      },
    },
  ],
  tests: [{ expect: { nodes: { a: { request: { credential: "slack", headers: { a: "slack" } } } } } }],
};

test("credentials are named as the workspace has them, wherever a config names one", () => {
  const made = connectTemplate(flow, { credentials: { slack: "ourSlack" }, variables: {} });
  expect(made.nodes).toEqual([
    { id: "a", config: { credential: "ourSlack", body: { text: "slack" } } },
    {
      id: "b",
      config: {
        credential: "mail",
        tools: [{ credential: "ourSlack" }],
        body: { nodes: [{ config: { credential: "ourSlack" } }] },
      },
    },
  ]);
  expect(made.trigger).toEqual(flow.trigger);
  expect(JSON.stringify(made.tests)).toContain('"credential":"ourSlack","headers":{"a":"slack"}');
});

test("variables have what was entered", () => {
  const made = connectTemplate(flow, { credentials: {}, variables: { channel: "#ours" } });
  expect(made.variables).toEqual({ channel: "#ours", days: 3 });
});
