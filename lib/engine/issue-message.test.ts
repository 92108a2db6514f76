import { expect, test } from "vitest";
import { fieldTitle, withFieldTitles } from "./issue-message.ts";

const schema = {
  type: "object",
  properties: {
    ms: { type: "number", title: "Duration" },
    until: { type: "string", title: "Until" },
    retry: { type: "object", title: "Retry", properties: { maxRetries: { type: "number", title: "Attempts" } } },
    cases: { type: "array", title: "Cases", items: { type: "object", properties: { when: { title: "When" } } } },
    plain: {},
  },
};

test.each([
  ["ms", "Duration"],
  ["retry.maxRetries", "Retry: Attempts"],
  ["cases[1].when", "Cases 2: When"],
  ["cases[0]", "Cases 1"],
  ["plain", "plain"],
  ["body.nodes[1].id", "body: nodes 2: id"],
  ["", ""],
])("%s is titled %s", (path, title) => expect(fieldTitle(schema, path)).toBe(title));

test.each([
  ["ms: is required, unless until is given", "Duration is required, unless Until is given"],
  ["ms: must not be negative (found -1)", "Duration must not be negative (found -1)"],
  ["ms: must be a number; cases[0].when: is required", "Duration must be a number; Cases 1: When is required"],
  ["until: `a.b` failed: a is not defined", "Until: `a.b` failed: a is not defined"],
  ["until: `a; ms: is` failed: no; ms: is odd", "Until: `a; ms: is` failed: no; ms: is odd"],
  ["getaddrinfo: no such host", "getaddrinfo: no such host"],
  ["constructor: is required", "constructor: is required"],
  ["The server answered 500", "The server answered 500"],
])("%s is said as %s", (message, said) => expect(withFieldTitles(message, schema)).toBe(said));

test("without a schema, a message stays as it is", () => {
  expect(withFieldTitles("ms: is required", undefined)).toBe("ms: is required");
});
