// What the server evaluates itself must be what the sandbox says, to the last bit.
import { afterAll, describe, expect, test } from "vitest";
import { readProgram } from "#lib/expressions/read-expression.ts";
import { Budget, runSimple } from "#lib/expressions/simple-program.ts";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { valueHere } from "./testing/simple-here.ts";
import { scope } from "./testing/simple-scope.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const here = (text: string) => valueHere(text, scope);

describe("what only looks at data is evaluated in the server", () => {
  test.each<[string, unknown]>([
    ["$trigger.body.n > 2 && !$trigger.body.none", true],
    ["$trigger.body.n * 2 + 1", 7],
    ["'n is ' + $trigger.body.n", "n is 3"],
    ["`${$trigger.body.text}-${$trigger.body.none}`", "abc-null"],
    ["$trigger.body.text.length", 3],
    ["$trigger.body.nope?.deeper.still ?? 'none'", "none"],
    ["$trigger.body.list[$vars.limit - 1]", "b"],
    ["({ total: $trigger.body.n, gone: $trigger.body.nope, list: [$trigger.body.nope] })", { total: 3, list: [null] }],
    ["({ ...$trigger.body.deep, x: 1 })", { "": 7, x: 1 }],
    ["typeof $trigger.body.nope === 'undefined' ? 'no' : 'yes'", "no"],
    ["$vars.constructor", "own"],
    ["({ ...$vars }).limit", 2],
    ["$trigger.body.orders.filter((order) => order.total > 10).map((order) => order.id)", ["b", "c"]],
    ["$trigger.body.orders.map(({ id, note }) => ({ id, note }))", [{ id: "a", note: "x" }, { id: "b" }, { id: "c" }]],
    ["$trigger.body.orders.map((order) => order.note)", ["x", null, null]],
    ["$trigger.body.orders.map((order) => order.note).filter((note) => note === undefined).length", 2],
    ["$trigger.body.orders.reduce((sum, order) => sum + order.total, 0)", 35],
    ["$trigger.body.orders.find((order) => order.id === 'b')?.total", 10.5],
    ["$trigger.body.orders.find((order) => order.id === 'z')", null],
    ["$trigger.body.orders.some((order) => order.total < 0)", false],
    ["$trigger.body.orders.every(({ total }) => total > 0)", true],
    ["$trigger.body.nope?.map((order) => order.id).length", null],
    ["($trigger.body.nope ?? []).map((order) => order.id)", []],
    ["Math.max(...$trigger.body.orders.map((order) => order.total))", 20],
    ["Object.fromEntries($trigger.body.orders.map((order) => [order.id, order.total]))", { a: 4.5, b: 10.5, c: 20 }],
    [
      "Object.entries($trigger.body.orders[0]).map(([key, value]) => `${key}=${value}`).join('&')",
      "id=a&total=4.5&note=x",
    ],
    [
      "$trigger.body.orders.reduce((all, order) => ({ ...all, [order.id]: order.total }), {})",
      { a: 4.5, b: 10.5, c: 20 },
    ],
    ["$trigger.body.text.toUpperCase() + $trigger.body.text.slice(1, 2)", "ABCb"],
    ["'a, b'.split(',').map((part) => part.trim())", ["a", "b"]],
    ["$trigger.body.list.filter(Boolean)", [1, "b"]],
    ["$trigger.body.orders.map((order, index) => { return index + order.id; })", ["0a", "1b", "2c"]],
    ["$trigger.body.orders.flatMap((a) => $trigger.body.orders.map((b) => a.id + b.id)).length", 9],
    ["$trigger.body.orders.length !== undefined && $trigger.body.orders !== null", true],
    ["'total' in $trigger.body.orders[0] && !('note' in $trigger.body.orders[1])", true],
    ["Object.assign({ id: 1, x: 2 }, $trigger.body.orders[1], null, { y: undefined })", { id: "b", x: 2, total: 10.5 }],
    ['JSON.parse(\'{"a": [1, {"__proto__": 2}]}\')', { a: [1, JSON.parse('{"__proto__": 2}')] }],
    ["parseInt('12px') + parseFloat('1.5em') + Number.parseInt('0x1f')", 44.5],
    ["$trigger.body.list.map((item) => isNaN(item))", [false, true, false]],
    ["`/search?q=${encodeURIComponent('a b&ü')}`", "/search?q=a%20b%26%C3%BC"],
    ["decodeURIComponent('a%20b')", "a b"],
    ["2 ** 10 + Math.sqrt(2.25) + Math.sign(-3)", 1024.5],
    ["[...new Set([...$trigger.body.list, 1, 'b', undefined])]", [1, "b", null, null]],
    ["new Set($trigger.body.orders.map((order) => order.note)).size", 2],
    ["JSON.stringify($trigger.body.orders[0])", '{"id":"a","total":4.5,"note":"x"}'],
    ["$trigger.body.orders[0].total.toFixed(2)", "4.50"],
    ["$trigger.body.n == '3'", true],
  ])("%s", async (text, value) => {
    expect(here(text)).toEqual(value);
    if (value !== "not simple") expect(await valueFrom(sandbox, text, scope)).toEqual(value);
  });
});

describe("everything else is left to the sandbox", () => {
  test.each([
    "(() => 1)()",
    "$trigger.body.text.match(/a/)",
    "$trigger.body.list.sort()",
    "$trigger.body.list.push(1)",
    "$trigger.body.list.map(function (item) { return item; })",
    "$trigger.body.list.map(async (item) => item)",
    "$trigger.body.list.map((item) => { item.x = 1; return item; })",
    "$trigger.body.list.map((item, index, all) => all)",
    "$trigger.body.list.map((item = 1) => item)",
    "$trigger.body.list.map((...items) => items)",
    "$trigger.body.list.map(($trigger) => $trigger)",
    "$trigger.body.list.map((eval) => eval)",
    "$trigger.body.list.map((a) => (b) => a)",
    "$trigger.body.list.map(constructor)",
    "constructor($trigger)",
    "__proto__($trigger)",
    "Object.constructor('1')",
    "Math.__proto__.toString()",
    "$trigger.body.list['map']((item) => item)",
    "$trigger.body.list.map?.((item) => item)",
    "String.raw`a`",
    "010",
    "'\\07'",
    "$trigger.body.n = 5",
    "new Date()",
    "/a/",
    "10n",
    "({ __proto__: $trigger })",
    "this",
    "globalThis",
    "delete $trigger.body",
    "$trigger.body.n, 1",
    "1e999",
    "$trigger.body.list.reverse()",
    "$trigger.body.list.toSorted((a, b) => 1)",
    "[1, 2].map(parseInt)",
    "[1, 2].map((parseInt) => parseInt('1'))",
    "Object.assign($trigger.body, { n: 4 })",
    "new Set($trigger.body.list)",
    "[new Set($trigger.body.list)]",
  ])("%s is not simple", (text) => {
    expect(here(text)).toBe("not simple");
  });

  test.each([
    "$trigger.constructor",
    "$trigger.__proto__",
    "$trigger.body.nope.deeper",
    "$trigger.body.text.constructor",
    "$trigger.body.n.toFixed",
    "$trigger.body.list.map",
    "$trigger.body + ''",
    "$trigger.body.list == 1",
    "`${$trigger.body}`",
    "1 / $trigger.body.zero",
    "-$trigger.body.zero",
    "+'x'",
    "({ ...$trigger.body.text })",
    "$trigger.body.text[9]",
    "$trigger.body[null]",
    "[...$trigger.body.text]",
    "$trigger.body.map((item) => item)",
    "$trigger.body.n.map((item) => item)",
    "$trigger.body.text.map((item) => item)",
    "$trigger.body.list.map((item) => item.x)",
    "$trigger.body.list.map(({ x }) => x)",
    "$trigger.body.list.map(([x]) => x)",
    "$trigger.body.list.toUpperCase()",
    "$trigger.body.list.slice(0.5)",
    "$trigger.body.list.includes($trigger.body.deep)",
    "[].reduce((a, b) => a)",
    "'straße'.toUpperCase()",
    "'a'.replaceAll('a', '$&')",
    "Math.max()",
    "Math.round('1')",
    "Object.keys($trigger.body.list)",
    "Object.fromEntries([1])",
    "[$trigger.body].join()",
    "'a' in $trigger.body.list",
    "'toString' in $trigger.body",
    "'__proto__' in $trigger.body",
    "Object.assign({}, $vars)",
    "Object.assign({}, 'ab')",
    "JSON.parse('{')",
    "JSON.parse('[1e999]')",
    "JSON.parse('-0')",
    "parseInt('x')",
    "parseInt('123456789012345678901')",
    "parseInt('z', 36)",
    "encodeURIComponent('\\ud800')",
    "decodeURIComponent('%')",
    "1.5 ** 2",
    "2 ** 0.5",
    "2 ** -1",
    "2 ** 53",
    "'abc'.charCodeAt(3)",
    "[...new Set($trigger.body.orders)]",
  ])("%s is unsure", (text) => {
    expect(here(text)).toBe("unsure");
  });

  test("an expression without end is not simple, and does not exhaust the stack", () => {
    expect(here(`${"!".repeat(1_000)}1`)).toBe("not simple");
    expect(here(Array.from({ length: 300 }, () => "1").join(" + "))).toBe("not simple");
    const long = `'${"a".repeat(20_000)}'`;
    expect(here(`${long} + ${long} + ${long}`)).toHaveLength(60_000);
    expect(here("$vars.long + $vars.long + $vars.long")).toBe("unsure");
  });
});

describe("what would take long is left to the sandbox", () => {
  const list = (length: number) => Array.from({ length }, (_, index) => index);
  test.each([
    ["many items", "$vars.items.map((item) => item + 1)"],
    [
      "items of items",
      "$vars.few.map((a) => $vars.few.map((b) => $vars.few.filter((c) => c === a + b).length).length)",
    ],
    ["a text that grows", "$vars.few.reduce((all, item) => all + all, 'a')"],
    ["a list that grows", "$vars.few.reduce((all, item) => [...all, ...all], [1])"],
    ["a list in a list in a list", "$vars.few.reduce((all, item) => [all, all], [1])"],
    ["a list nested deeply", "$vars.few.reduce((all, item) => [all], [])"],
    ["long texts that are compared", "$vars.few.filter((item) => $vars.text === $vars.text)"],
    ["a large value many times", "$vars.few.map(() => $vars.items)"],
    ["JSON of much", "$vars.few.map(() => JSON.stringify($vars.items).length)"],
    ["JSON of a list in a list in a list", "JSON.stringify($vars.few.reduce((all, item) => [all, all], [1])).length"],
    ["a text of JSON many times", "$vars.few.map(() => JSON.parse($vars.json).length)"],
    ["JSON nested deeply", "JSON.parse($vars.nested)"],
    ["an address that is written many times", "$vars.few.map(() => encodeURIComponent($vars.text).length)"],
    ["a set of much, many times", "$vars.few.map(() => new Set($vars.items).size)"],
    ["an object assigned many times", "$vars.items.map(() => Object.assign({}, $vars.few2))"],
    ["a replacement that grows", "$vars.text.replaceAll('x', 'yyyyyyyyyyyyyyyyyyyyyy')"],
    ["a filling that grows", "'a'.padStart(1e9)"],
  ])("%s", (_name, text) => {
    const json = JSON.stringify(list(1_000));
    const nested = `${"[".repeat(60)}${"]".repeat(60)}`;
    const vars = { items: list(30_000), few: list(200), few2: { a: 1 }, text: "x".repeat(20_000), json, nested };
    const { simple } = readProgram(text);
    if (simple === null) throw new Error(`${text} is not simple`);
    expect(runSimple(simple, () => vars)).toEqual({ kind: "unsure" });
  });

  test("all expressions of a node together have what one has", () => {
    const { simple } = readProgram("$vars.map((item) => item + 1).length");
    if (simple === null) throw new Error("it is not simple");
    const budget = new Budget();
    const run = () => runSimple(simple, () => list(3_000), budget).kind;
    expect([run(), run(), run()]).toEqual(["value", "unsure", "unsure"]);
  });
});
