import { describe, expect, test } from "vitest";
import { followPath, pathsRead } from "./paths-read.ts";

const texts = (source: string) => pathsRead(source).map(({ text }) => text);

describe("the paths that an expression reads", () => {
  test.each([
    ["$trigger.body.id", ["$trigger.body.id"]],
    ["$trigger.body.items.map(item => item.price)", ["$trigger.body.items"]],
    ["$nodes['pay'].output.body?.id ?? $vars.none", ["$nodes['pay'].output.body?.id", "$vars.none"]],
    ["$trigger.body.list[0].id + $trigger.body[$vars.key]", ["$trigger.body.list[0].id", "$trigger.body", "$vars.key"]],
    ["const a = $trigger.body.a; return a + $trigger.body.a", ["$trigger.body.a"]],
    ["'$trigger.body.id'", []],
    ["$trigger", []],
    ["not ( an expression", []],
    ["$trigger[$vars.a].b[$vars['c'].d].e()", ["$vars.a", "$vars['c'].d"]],
    ["($trigger.body?.a).b + f($vars.x).y.z", ["$trigger.body?.a", "$vars.x"]],
  ])("%s", (source, expected) => {
    expect(texts(source).toSorted()).toEqual(expected.toSorted());
  });

  test("a chain as long as an expression is read in one walk, also behind a key that is computed", () => {
    const chain = ".b".repeat(30_000);
    expect(texts(`$trigger[$vars.key]${chain}`)).toEqual(["$vars.key"]);
    expect(pathsRead(`$trigger${chain}`)[0]?.steps).toHaveLength(30_000);
  });

  test("says which members may be missing", () => {
    const [path] = pathsRead("$trigger.body?.id");
    expect(path?.steps.map(({ key, optional }) => [key, optional])).toEqual([
      ["body", false],
      ["id", true],
    ]);
  });

  test("goes as far as the data does", () => {
    const [path] = pathsRead("$trigger.body.customer.address.city");
    if (path === undefined) throw new Error("no path");
    expect(followPath(path, { body: { customer: null } })).toEqual({ text: "$trigger.body.customer", value: null });
    expect(followPath(path, { body: {} })).toEqual({ text: "$trigger.body.customer", value: undefined });
    const trigger = { body: { customer: { address: { city: "Bern" } } } };
    expect(followPath(path, trigger)).toEqual({ text: "$trigger.body.customer.address.city", value: "Bern" });
    expect(followPath(path, { body: { constructor: 1 } }).value).toBeUndefined();
  });
});
