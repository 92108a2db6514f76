import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBeginning } from "./json-beginning.ts";

test("is what JSON.stringify begins with", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.nat(60), (value, charactersMax) => {
      expect(jsonBeginning(value, charactersMax)).toBe(JSON.stringify(value).slice(0, charactersMax));
    }),
  );
});

test.each([
  ["undefined", undefined, "null"],
  ["members without JSON", { a: undefined, b: () => 1, c: 1 }, '{"c":1}'],
  ["no member with JSON", { a: undefined }, "{}"],
  ["a key named __proto__", JSON.parse('{"__proto__":[{}]}'), '{"__proto__":[{}]}'],
])("writes %s", (_, value, json) => {
  expect(jsonBeginning(value, json.length)).toBe(json);
});

test("reads no more of a value than it writes", () => {
  const items = new Proxy([1, 2, 3], {
    get: (list, key) => {
      if (key === "2") throw new Error("the rest was read");
      return Reflect.get(list, key) as unknown;
    },
  });
  expect(jsonBeginning(items, 3)).toBe("[1,");
});
