// What the server evaluates itself must equal the sandbox's result, to the last bit.
import { afterAll, describe, expect, test } from "vitest";
import { readHere } from "#lib/expressions/expressions.ts";
import { readProgram } from "#lib/expressions/read-expression.ts";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { scope, scopeOver, valueHere } from "./testing/here.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const here = (text: string) => valueHere(text, scope);

describe("expressions that only read data are evaluated in the server", () => {
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
    ["$trigger.body.orders.find((order) => order.id === 'b')?.total", 10.5],
    ["$trigger.body.orders.find((order) => order.id === 'z')", null],
    ["$trigger.body.orders.some((order) => order.total < 0)", false],
    ["$trigger.body.orders.every(({ total }) => total > 0)", true],
    ["$trigger.body.nope?.map((order) => order.id).length", null],
    ["($trigger.body.nope ?? []).map((order) => order.id)", []],
    ["$trigger.body.text.toUpperCase() + $trigger.body.text.slice(1, 2)", "ABCb"],
    ["$trigger.body.list.filter(Boolean)", [1, "b"]],
    ["$trigger.body.orders.length !== undefined && $trigger.body.orders !== null", true],
    ["'total' in $trigger.body.orders[0] && !('note' in $trigger.body.orders[1])", true],
    ["$trigger.body.orders[0].total.toFixed(2)", "4.50"],
    ["$trigger.body.n == '3'", true],
    ["Math.max($trigger.body.n, 2) + Number('4') + $trigger.body.list.indexOf('b')", 8],
    ["$trigger.body.orders.map((order, index) => ({ ...order, index })).slice(1).length", 2],
    ["[...$trigger.body.list, ...$trigger.body.orders.filter((order) => order.note)].length", 4],
    [
      "$trigger.body.orders.map(({ id, total: sum }) => `${id}: ${sum.toFixed(2)}`).join(', ')",
      "a: 4.50, b: 10.50, c: 20.00",
    ],
    ["$trigger.body.orders.filter((order) => order.id !== 'a' && $trigger.body.n < order.total).length", 2],
  ])("%s", async (text, value) => {
    expect(here(text)).toEqual(value);
    expect(await valueFrom(sandbox, text, scope)).toEqual(value);
  });
});

describe("everything else is left to the sandbox", () => {
  test.each([
    ...["(() => 1)()", "$trigger.body.text.match(/a/)", "$trigger.body.list.sort()", "$trigger.body.list.push(1)"],
    ...["$trigger.body.list.toSorted()", "$trigger.body.list.reverse()", "$trigger.body.list.concat([1])"],
    ...["$trigger.body.text.split('')", "$trigger.body.text.replaceAll('a', 'b')", "'a'.padStart(9)", "'a'.repeat(9)"],
    ...["$trigger.body.list.flat()", "$trigger.body.list.reduce((a, b) => a)", "$trigger.body.list.flatMap((a) => a)"],
    ...["Object.keys($trigger.body)", "Object.entries($trigger.body).length", "Object.assign({}, $trigger.body)"],
    ...["JSON.parse('1')", "JSON.stringify($trigger.body)", "encodeURIComponent('a')", "parseInt('1')", "2 ** 3"],
    ...[
      "new Date()",
      "new Date(0).toISOString()",
      "Date.now()",
      "[...new Set($trigger.body.list)]",
      "new Set([]).size",
    ],
    ...["return 1;", "const a = 1; return a;", "if ($vars.limit) return 1; return 2;"],
    ...["$trigger.body.list.map(function (item) { return item; })", "$trigger.body.list.map(async (item) => item)"],
    ...["$trigger.body.list.map((item) => { return item; })", "$trigger.body.list.map((item, index, all) => all)"],
    ...["$trigger.body.list.map((item = 1) => item)", "$trigger.body.list.map((...items) => items)"],
    ...["$trigger.body.list.map(($trigger) => $trigger)", "$trigger.body.list.map((eval) => eval)"],
    ...["$trigger.body.list.map((a) => (b) => a)", "$trigger.body.list.map(constructor)", "[1].map(parseInt)"],
    ...[
      "$trigger.body.list.map(([x]) => x)",
      "constructor($trigger)",
      "__proto__($trigger)",
      "Object.constructor('1')",
    ],
    ...["Math.__proto__.toString()", "$trigger.body.list['map']((item) => item)", "$trigger.body.list.map?.((a) => a)"],
    ...[
      "({ 010: 1 })",
      "({ '\\1': 1 })",
      "$trigger.body.list.map((async) => async)",
      "String.raw`a`",
      "010",
      "'\\07'",
      "$trigger.body.n = 5",
      "/a/",
      "10n",
      "({ __proto__: $trigger })",
      "this",
    ],
    ...["globalThis", "delete $trigger.body", "$trigger.body.n, 1", "1e999", "Math.max(...$trigger.body.list)"],
  ])("%s is not for the server", (text) => {
    expect(here(text)).toBe("not for the server");
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
    // The sandbox's engine writes some powers of two with a digit more.
    "`${5.986310706507379e+51}`",
    "(6.310887241768095e-30).toString() + String(7.167183174968974e+103)",
    "({ [7.174648137343064e-43]: 1 })",
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
    "$trigger.body.list.toUpperCase()",
    "$trigger.body.list.slice(0.5)",
    "$trigger.body.list.includes($trigger.body.deep)",
    "'straße'.toUpperCase()",
    "Math.max()",
    "Math.round('1')",
    "[$trigger.body].join()",
    "'a' in $trigger.body.list",
    "'toString' in $trigger.body",
    "'__proto__' in $trigger.body",
    "$vars.long + $vars.long + $vars.long",
    "$nope",
  ])("%s asks the sandbox", (text) => {
    expect(here(text)).toBe("asks the sandbox");
  });

  test("an extremely long expression is left alone, and does not exhaust the stack", () => {
    expect(here(`${"!".repeat(1_000)}1`)).toBe("not for the server");
    expect(here(Array.from({ length: 300 }, () => "1").join(" + "))).toBe("not for the server");
  });
});

describe("expressions that would take long are left to the sandbox", () => {
  const list = (length: number) => Array.from({ length }, (_, index) => index);
  const vars = {
    items: list(100_000),
    few: list(200),
    some: list(20),
    text: "x".repeat(20_000),
    keys: Object.fromEntries(list(60_000).map((key) => [`key${key}`, key])),
    member: { id: 1 },
  };
  const over = (values: Record<string, unknown>) => scopeOver({ $vars: values });

  test.each([
    ["a function in a function", "$vars.few.map((a) => $vars.few.map((b) => a + b).length)"],
    ["a list that was made of lists", "[...[...$vars.few, ...$vars.few], ...[...$vars.few]]"],
    ["members of something else for each item", "$vars.few.map(() => ({ ...$vars.keys }))"],
    ["members of what items were made into", "$vars.few.map(() => $vars.keys).map((item) => ({ ...item }))"],
  ])("%s is not for the server", (_name, text) => {
    expect(valueHere(text, { $vars: vars })).toBe("not for the server");
  });

  test.each([
    ["a long list for each item", "$vars.some.map(() => $vars.few.includes(-1))"],
    ["a long text for each item", "$vars.some.filter(() => $vars.text.includes('y'))"],
    ["long texts that are compared", "$vars.some.filter(() => $vars.text === $vars.text)"],
    ["a long text that is read as a number", "$vars.some.filter((item) => item < $vars.text)"],
    ["texts that grow for each item", "$vars.some.map((item) => `${$vars.text}${item}`)"],
    ["a large value many times", "$vars.few.map(() => $vars.few)"],
  ])("%s asks the sandbox, little as it reaches", (_name, text) => {
    const { some, few } = vars;
    expect(valueHere(text, { $vars: { some, few, text: "x".repeat(1_000) } })).toBe("asks the sandbox");
  });

  test("a long list is not iterated, while a member of the same data is read", () => {
    let isRead = false;
    const counted = {
      ...over(vars),
      value: () => {
        isRead = true;
        return vars;
      },
    };
    expect(readHere([readProgram("$vars.items.map((item) => item + 1)")], counted).missing).toEqual([0]);
    expect(isRead).toBe(false);
    expect(valueHere("$vars.member.id === 1 && $vars.items.length", { $vars: vars })).toBe(100_000);
  });

  test("all expressions of a node are counted and moved together; plain paths stay", () => {
    const data = over({ few: list(500), id: 7 });
    const program = readProgram("$vars.few.filter((item) => item > 5).length + 0");
    const path = readProgram("$vars.id");
    const few = readHere([program, path, program], data);
    expect([few.values, few.missing]).toEqual([[494, 7, 494], []]);
    const many = readHere([path, ...Array.from({ length: 50 }, () => program)], data);
    expect([many.values[0], many.missing.length]).toEqual([7, 50]);
    expect(readHere([program, readProgram("$vars.id.nope()")], data).missing).toEqual([0, 1]);
  });
});
