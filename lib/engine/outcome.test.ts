import { expect, test } from "vitest";
import { jsonText, visibleOutput } from "./outcome.ts";
import { done, failure } from "./testing/flows.ts";

// Proves expressions.json
test("a value has its JSON text, and undefined is null", () => {
  expect(jsonText({ a: [1] })).toEqual({ value: { a: [1] }, json: '{"a":[1]}' });
  expect(jsonText(undefined)).toEqual({ value: null, json: "null" });
  expect(jsonText("a\u0000\ud800").json).toBe('"a\\u0000\\ud800"');
});

test("a value that JSON cannot represent is refused", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(() => jsonText(circle)).toThrow(TypeError);
  expect(() => jsonText(1n)).toThrow(TypeError);
});

test("other nodes see a completed node's output, a failed node's error, and nothing of a node that did not run", () => {
  expect(visibleOutput(done({ a: 1 }))).toEqual({ value: { a: 1 }, json: '{"a":1}' });
  expect(visibleOutput(failure)?.value).toEqual({ error: { message: "it broke", code: "BROKEN" } });
  expect([visibleOutput({ status: "skipped" }), visibleOutput({ status: "cancelled" })]).toEqual([
    undefined,
    undefined,
  ]);
});
