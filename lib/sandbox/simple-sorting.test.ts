// Lists that the server sorts are in the order that the sandbox gives them.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { valueHere } from "./testing/simple-here.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const orders = [
  { id: "b", total: 10, at: { day: "2024-05-02" } },
  { id: "a", total: 2, at: { day: "2024-05-01" } },
  { id: "c", total: 10, at: { day: "2024-04-30" } },
];
const scope = { $vars: { orders, numbers: [10, 9, 1, 2], words: ["b", "B", "a"], mixed: [1, "a", null, true] } };
const ids = ".map((order) => order.id).join('')";

describe("a list of the expression's own, or a copy, is sorted in the server", () => {
  test.each<[string, unknown]>([
    ["$vars.numbers.toSorted()", [1, 10, 2, 9]],
    ["$vars.mixed.toSorted()", [1, "a", null, true]],
    ["$vars.numbers.toSorted((a, b) => b - a)", [10, 9, 2, 1]],
    ["[...$vars.numbers].sort((a, b) => a - b).reverse()", [10, 9, 2, 1]],
    ["Object.keys($vars).sort()", ["mixed", "numbers", "orders", "words"]],
    ["'b,a'.split(',').sort().join()", "a,b"],
    [`$vars.orders.toSorted((a, b) => a.total - b.total || a.id.localeCompare(b.id))${ids}`, "abc"],
    [`$vars.orders.toSorted((a, b) => b.total - a.total)${ids}`, "bca"],
    [`$vars.orders.toSorted((a, b) => a.at.day < b.at.day ? -1 : 1)${ids}`, "cab"],
    [`$vars.orders.toSorted((a, b) => { return a.total > b.total ? -1 : a.total < b.total ? 1 : 0; })${ids}`, "bca"],
    ["$vars.words.toSorted((a, b) => b.localeCompare(a))", ["b", "a", "B"]],
    ["$vars.orders.filter((order) => order.total > 50).sort((a, b) => a.nope.x - b.nope.x)", []],
  ])("%s", async (text, value) => {
    expect(valueHere(text, scope)).toEqual(value);
    expect(await valueFrom(sandbox, text, scope)).toEqual(value);
  });
});

describe("what would change data of the run, or is in no certain order, is not", () => {
  test.each([
    "$vars.numbers.sort()",
    "$vars.numbers.reverse()",
    "($vars.numbers ?? []).sort()",
    "$vars['numbers'].sort()",
    "$vars.orders.find((order) => order.list).sort()",
    "$vars.numbers.toSorted((a, b) => a > b)",
    "$vars.numbers.toSorted((a, b) => a > b ? 1 : 0)",
    "$vars.numbers.toSorted((a, b) => a < b ? 1 : 1)",
    "$vars.numbers.toSorted((a, b) => a < b ? -1 : a < b ? 1 : 0)",
    "$vars.numbers.toSorted((a, b) => a - b + 1)",
    "$vars.orders.toSorted((a, b) => a.total - b.id)",
    "$vars.orders.toSorted((a, b) => a.a - b.b)",
    "$vars.orders.toSorted((a, b) => ({ a: 1 }).a - ({ b: 1 }).a)",
    "$vars.orders.toSorted((a, b) => a.total * b.total - b.total * a.total)",
    "$vars.numbers.toSorted((a) => a)",
    "$vars.numbers.toSorted(Math.max)",
    "$vars.numbers.toSorted(($a, b) => $a - b)",
    `$vars.numbers.toSorted((a, b) => a < b ? -1 : ${"!".repeat(2_000)}a > b ? 1 : 0)`,
  ])("%s is not simple", (text) => {
    expect(valueHere(text, scope)).toBe("not simple");
  });

  test.each([
    "$vars.orders.toSorted((a, b) => a.total < b.total ? -1 : 1)",
    "$vars.mixed.toSorted((a, b) => a < b ? -1 : 1)",
    "$vars.orders.toSorted((a, b) => a.id - b.id)",
    "$vars.orders.toSorted((a, b) => a.nope.x - b.nope.x)",
    "$vars.orders.toSorted()",
    "['ä', 'b'].sort((a, b) => a.localeCompare(b))",
    "[undefined, 1].sort()",
    "Array.isArray($vars.words) && 'ba'.slice().sort()",
  ])("%s is unsure", (text) => {
    expect(valueHere(text, scope)).toBe("unsure");
  });

  test.each([
    ["a long list", "$vars.items.toSorted((a, b) => a - b).length"],
    ["many lists", "$vars.few.map(() => $vars.few.toSorted().length)"],
    ["long texts that begin alike", "$vars.few.map((item) => $vars.text + item).toSorted().length"],
    ["keys that take long", "$vars.few.toSorted((a, b) => $vars.few.indexOf(a) - $vars.few.indexOf(b))"],
  ])("%s", (_name, text) => {
    const list = (length: number) => Array.from({ length }, (_, index) => index);
    const vars = { items: list(100_000), few: list(200), text: "x".repeat(2_000) };
    expect(valueHere(text, { $vars: vars })).toBe("unsure");
  });
});

describe("the server and the sandbox sort alike", () => {
  const item = fc.record({
    n: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    text: fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: "grapheme", maxLength: 2 })),
    any: fc.oneof(fc.constantFrom(null, true, "1", "10", 2), fc.integer({ min: 0, max: 20 })),
  });
  const key = fc.constantFrom(
    "$.n",
    "$.text",
    "$.any",
    "String($.any)",
    "$.text.length",
    "[$.any, $.n].length",
    "$.nope?.x",
  );
  const criterion = fc.tuple(key, fc.constantFrom<[string, string]>(["a", "b"], ["b", "a"])).chain(([of, [x, y]]) => {
    const [one, other] = [of.replaceAll("$", x), of.replaceAll("$", y)];
    return fc.constantFrom(
      `${one} - ${other}`,
      `${one}.localeCompare(${other})`,
      `(${one} < ${other} ? -1 : 1)`,
      `(${one} > ${other} ? -1 : ${one} < ${other} ? 1 : 0)`,
      `(${one} < ${other} ? -2 : ${one} > ${other} ? 3 : 0)`,
    );
  });
  const comparator = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(criterion, { minLength: 1, maxLength: 2 }).map((all) => `(a, b) => ${all.join(" || ")}`),
    },
    { weight: 1, arbitrary: fc.constant("") },
  );
  const list = fc.constantFrom("[...$vars.list].sort", "$vars.list.toSorted", "$vars.list.map((x) => x.any).sort");

  test("whatever they compare", async () => {
    let sure = 0;
    await fc.assert(
      fc.asyncProperty(list, comparator, fc.array(item, { maxLength: 30 }), async (of, by, items) => {
        const data = JSON.parse(JSON.stringify({ $vars: { list: items } })) as Record<string, unknown>;
        const text = `${of}(${by})`;
        const own = valueHere(text, data);
        if (own === "unsure" || own === "not simple") return;
        sure += 1;
        expect(JSON.stringify(own)).toBe(JSON.stringify(await valueFrom(sandbox, text, data)));
      }),
      { numRuns: Number(process.env.SIMPLE_ROUNDS ?? 1_500) },
    );
    console.log(`${sure} lists were sorted both ways.`);
    expect(sure).toBeGreaterThan(300);
  });
});
