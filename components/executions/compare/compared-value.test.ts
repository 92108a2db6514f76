import { expect, test } from "vitest";
import { differingValues } from "./compared-value.tsx";

const paths = (here: unknown, there: unknown, most = 10) =>
  differingValues(here, there, "output", most).map(({ path }) => path);

test("equal values do not differ, whatever the order of their keys", () => {
  expect(paths({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] })).toEqual([]);
});

test("each difference is listed, as deep as both values go", () => {
  const here = { total: 1, rows: [{ id: 1 }, { id: 2 }], "a b": true };
  const there = { total: 2, rows: [{ id: 1 }, { id: 3 }, { id: 4 }], extra: {} };
  expect(paths(here, there)).toEqual([
    "output.total",
    "output.rows[1].id",
    "output.rows[2]",
    'output["a b"]',
    "output.extra",
  ]);
  expect(differingValues([1], { 0: 1 }, "output", 10)).toEqual([{ path: "output", here: [1], there: { 0: 1 } }]);
});

test("the search stops at the requested number", () => {
  expect(paths([1, 2, 3], [4, 5, 6], 2)).toEqual(["output[0]", "output[1]"]);
});

test("inherited members do not count", () => {
  expect(differingValues({ constructor: 1 }, {}, "output", 10)).toEqual([
    { path: "output.constructor", here: 1, there: undefined },
  ]);
});
