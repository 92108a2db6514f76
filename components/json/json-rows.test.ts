import { expect, test } from "vitest";
import { RowWalk } from "./json-rows.ts";

type Wish = ConstructorParameters<typeof RowWalk>[2];

function jsonRows(value: unknown, path: string, wish: Wish) {
  const walk = new RowWalk(value, path, wish);
  while (!walk.isDone) walk.go();
  return walk.rows;
}

const none = { toggled: new Map<string, boolean>() };
const seen = (value: unknown, options: Wish = none) =>
  jsonRows(value, "x", options).map(({ depth, path }) => `${"  ".repeat(depth)}${path}`);

test("small branches are open, and closed ones are not rendered", () => {
  expect(seen({ a: { b: [1, 2] } })).toEqual(["x", "  x.a", "    x.a.b", "      x.a.b[0]", "      x.a.b[1]"]);
  const many = { list: Array.from({ length: 50_000 }, (_, index) => index) };
  expect(seen(many)).toEqual(["x", "  x.list"]);
  expect(jsonRows(many, "x", { toggled: new Map([["x.list", true]]) })).toHaveLength(50_002);
});

test("a branch can be closed by hand, and a leaf cannot", () => {
  expect(seen({ a: { b: 1 }, c: [] }, { toggled: new Map([["x.a", false]]) })).toEqual(["x", "  x.a", "  x.c"]);
  expect(jsonRows({ c: [] }, "x", none)[1]?.opened).toBeNull();
});

test("a search shows matches by name or value, in any case, and their ancestors", () => {
  const value = { order: { id: 7, city: "Graz" }, other: { id: 8 }, Cities: [] };
  expect(seen(value, { ...none, search: "graz" })).toEqual(["x", "  x.order", "    x.order.city"]);
  expect(seen(value, { ...none, search: "CIT" })).toEqual(["x", "  x.order", "    x.order.city", "  x.Cities"]);
  expect(seen(value, { ...none, search: "nowhere" })).toEqual([]);
});

test("a hundred thousand values are searched within a second", () => {
  const value = Array.from({ length: 100_000 }, (_, id) => ({ id }));
  // CPU time of this process: other processes' load does not count.
  const before = process.cpuUsage();
  expect(jsonRows(value, "x", { ...none, search: "99999" })).toHaveLength(3);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});

test("a hundred thousand entries are found in turns, none of which looks at more than ten thousand", () => {
  const open = { toggled: new Map([["x.list", true]]) };
  let reads = 0;
  const list = new Proxy(
    Array.from({ length: 100_000 }, (_, id) => id),
    {
      get: (entries, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(entries, key);
      },
    },
  );
  const walk = new RowWalk({ list }, "x", open);
  expect([walk.isDone, walk.rows.length, reads]).toEqual([false, 10_001, 9_999]);
  walk.go();
  expect([walk.rows.length, reads]).toEqual([20_001, 19_999]);
  const search = new RowWalk({ list }, "x", { ...none, search: "99999" });
  expect(search.isDone).toBe(false);
  while (!search.isDone) search.go();
  expect(search.rows.map(({ path }) => path)).toEqual(["x", "x.list", "x.list[99999]"]);
});
