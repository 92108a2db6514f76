import { expect, test } from "vitest";
import { asKind, kindOfVariable } from "./variable-value.ts";

test("each JSON value has a kind of its own", () => {
  const values = ["", "12", 12, false, null, [], {}];
  expect(values.map(kindOfVariable)).toEqual(["text", "text", "number", "boolean", "json", "json", "json"]);
});

test("a value keeps what it can of itself when its kind is changed", () => {
  expect(asKind("12.5", "number")).toBe(12.5);
  expect(asKind("twelve", "number")).toBe(0);
  expect(asKind("", "number")).toBe(0);
  expect(asKind("true", "boolean")).toBe(true);
  expect(asKind(12, "text")).toBe("12");
  expect(asKind({ a: 1 }, "text")).toBe('{"a":1}');
  expect(asKind([1], "json")).toEqual([1]);
  expect(asKind("text", "json")).toBeNull();
});
