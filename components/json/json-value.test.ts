import { expect, test } from "vitest";
import { childPath, children, copiedText, isLongerThan } from "./json-rows.ts";

test("a copied path is an expression for the value", () => {
  const root = "$nodes['a'].output";
  expect(childPath(root, "items", false)).toBe("$nodes['a'].output.items");
  expect(childPath(root, "0", true)).toBe("$nodes['a'].output[0]");
  expect(childPath(root, "content-type", false)).toBe(`$nodes['a'].output["content-type"]`);
});

test("only the shown children are created", () => {
  expect(children(Array.from({ length: 100_000 }), 100)).toHaveLength(100);
  expect(children({ b: 1, a: 2 }, 1)).toEqual([{ name: "b", value: 1 }]);
});

test("text is copied as it is, anything else as JSON", () => {
  expect(copiedText('a "b"')).toBe('a "b"');
  expect(copiedText({ a: 1 })).toBe('{\n  "a": 1\n}');
  expect(copiedText(undefined)).toBe("null");
});

test("whether a value is long is known without reading all of it", () => {
  expect(isLongerThan({ a: [1, "two"] }, 4_000)).toBe(false);
  expect(isLongerThan("x".repeat(4_001), 4_000)).toBe(true);
  let reads = 0;
  const list = Array.from({ length: 20_000 }, () => ({
    get id() {
      reads += 1;
      return 1;
    },
  }));
  expect(isLongerThan(list, 4_000)).toBe(true);
  expect(reads).toBeLessThan(4_000);
});
