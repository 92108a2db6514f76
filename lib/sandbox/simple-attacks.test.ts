// What is evaluated in the server itself, attacked: it either gives what the sandbox gives, or leaves it to the sandbox.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { ExpressionSyntaxError, readProgram } from "#lib/engine/expression.ts";
import { readMemberPath } from "#lib/engine/member-path.ts";
import { runSimple } from "#lib/engine/simple-program.ts";
import { oneChild, valueFrom } from "./testing/evaluate.ts";
import { valueOfBody } from "./testing/simple-here.ts";

const sandbox = oneChild();
afterAll(() => sandbox.close());

const data = `{
  "own": {"__proto__": {"polluted": 1}, "constructor": "own", "toString": "text", "valueOf": 1, "hasOwnProperty": 2},
  "list": [1, "two", null, [3], {"a": 4}],
  "text": "a\\u0000b\\ud83d\\ude00\\ud800",
  "numbers": [0, -0, 1e308, -1e308, 5e-324, 9007199254740993, 0.1],
  "long": ${JSON.stringify("x".repeat(40_000))},
  "empty": "",
  "length": 7,
  "0": "zero",
  "-1": "minus one",
  "": {"": "nothing"},
  "then": true,
  "toJSON": "no function"
}`;
const scope = { $trigger: { body: JSON.parse(data) }, $vars: JSON.parse(data) };

type Found = { kind: "value"; json: string } | { kind: "left" };

/** As the server has it, without the sandbox: by both of its short ways. */
function here(text: string): Found[] {
  let program: ReturnType<typeof readProgram>;
  try {
    program = readProgram(text);
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) return [];
    throw error;
  }
  const read = (name: string) => scope[name as keyof typeof scope];
  const { simple, path, names } = program;
  if (!names.every((name) => Object.hasOwn(scope, name))) return [];
  const found: Found[] = [];
  if (simple !== null) found.push(asFound(runSimple(simple, read)));
  if (path !== null) found.push(asFound(readMemberPath(path, read(path.root))));
  return found;
}

function asFound(result: { kind: string; value?: unknown }): Found {
  return result.kind === "value" ? { kind: "value", json: JSON.stringify(result.value ?? null) } : { kind: "left" };
}

/** Whether anything was answered here; what was is what the sandbox answers. */
async function isAnsweredAlike(text: string): Promise<boolean> {
  const answered = here(text).flatMap((found) => (found.kind === "value" ? [found.json] : []));
  if (answered.length === 0) return false;
  const value = readProgram(text).kind === "body" ? valueOfBody : valueFrom;
  const there = JSON.stringify(await value(sandbox, text, scope));
  for (const json of answered) expect(json, text).toBe(there);
  return true;
}

const payloads = JSON.parse(readFileSync("lib/sandbox/testdata/payloads.json", "utf8")) as { expr: string }[];

test("no payload is answered in the server otherwise than in the sandbox", async () => {
  let answered = 0;
  for (const { expr } of payloads) if (await isAnsweredAlike(expr)) answered += 1;
  console.log(`${payloads.length} payloads; ${answered} of them are answered without the sandbox.`);
  expect(answered).toBeLessThan(payloads.length / 10);
});

const attacks = [
  "$trigger.c\\u006fnstructor",
  "$trigger['con' + 'structor']",
  "$trigger[`__proto__`].polluted",
  "$trigger.body.own.__proto__.polluted",
  "$trigger.body.own.__proto__.__proto__",
  "$trigger.body.own.constructor.constructor",
  "$trigger.body.list.constructor",
  "$trigger.body.list['__proto__']",
  "$trigger.body.list.length",
  "$trigger.body.list['length']",
  "$trigger.body.list[-1]",
  "$trigger.body.list['-0']",
  "$trigger.body.list[-0]",
  "$trigger.body.list[1.0]",
  "$trigger.body.list['01']",
  "$trigger.body.list[4294967295]",
  "$trigger.body.list?.[0]?.a?.b",
  "$trigger.body.list[3] + 1",
  "$trigger.body.list[3] == 3",
  "$trigger.body.list[4] < 5",
  "`${$trigger.body.list}`",
  "$trigger.body.own + ''",
  "+$trigger.body.own",
  "typeof $trigger.body.own.toString",
  "$trigger.body.own.toString.length",
  "$trigger.body.text.length",
  "$trigger.body.text[3]",
  "$trigger.body.text",
  "$trigger.body.numbers[1]",
  "1 / $trigger.body.numbers[1]",
  "-$trigger.body.numbers[0]",
  "$trigger.body.numbers[2] * 10",
  "$trigger.body.numbers[5] % 2",
  "$trigger.body.numbers[6] + 0.2",
  "$trigger.body.long + $trigger.body.long",
  "`${$trigger.body.long}${$trigger.body.long}`",
  "$trigger.body.length",
  "$trigger.body[0]",
  "$trigger.body['0']",
  "$trigger.body[-1]",
  "$trigger.body['']['']",
  "$trigger.body.then",
  "({ then: 1, toJSON: 2, __proto__: 3 })",
  "({ 'constructor': $trigger.body.own })",
  "({ ...$trigger.body.own, valueOf: 3 })",
  "({ ...$vars.own }).polluted",
  "({ ...$trigger.body.list })",
  "({ ...$trigger.body.text })",
  "({ 1e3: 1, 0x10: 2, .5: 3 })",
  "[,]",
  "[undefined]",
  "({ a: undefined })",
  "undefined?.x.y",
  "null ?? undefined",
  "$trigger.body.empty || $trigger.body.nope?.x ?? 'x'",
  "'\\u{1f600}'.length",
  "'\\ud800'",
  "`\\u0000`",
  "$trigger == $trigger",
  "$trigger.body === $vars",
  "void 0",
  "!$trigger.body.own.__proto__",
  "$trigger['body', 'own']",
  "$trigger.body.own.hasOwnProperty",
  "$trigger.body.nope.__proto__",
  "$trigger.body.list.map.constructor('return process')()",
  "$trigger.body.list.map((item) => item.constructor)",
  "$trigger.body.list.map((constructor) => constructor)",
  "$trigger.body.list.map((__proto__) => ({ __proto__ }))",
  "$trigger.body.list.map(({ constructor }) => constructor)",
  "$trigger.body.list.map(({ __proto__ }) => __proto__)",
  "$trigger.body.own.list?.map((item) => item)",
  "[1, 2].map(Function)",
  "[1, 2].map(String.constructor)",
  "Object.entries($trigger.body.own).map(([key, value]) => key)",
  "Object.fromEntries([['__proto__', { polluted: 1 }]])",
  "Object.fromEntries([['__proto__', { polluted: 1 }]]).polluted",
  "({ ['__proto__']: { polluted: 1 } })",
  "({ ['__proto__']: { polluted: 1 } }).polluted",
  "({ ...Object.fromEntries([['__proto__', { polluted: 1 }]]) }).polluted",
  "$trigger.body.text.toUpperCase()",
  "$trigger.body.text.split('')",
  "$trigger.body.text.at(-1)",
  "JSON.stringify($trigger.body.text)",
  "JSON.stringify($trigger.body)",
  "JSON.stringify($trigger.body.own)",
  "[$trigger.body.numbers[1]].includes(0)",
  "[0].indexOf($trigger.body.numbers[1])",
  "[NaN].includes(NaN)",
  "Math.max(...$trigger.body.numbers)",
  "Math.min(0, $trigger.body.numbers[1])",
  "$trigger.body.numbers.map((n) => n.toFixed(3))",
  "$trigger.body.numbers.map(String)",
  "$trigger.body.numbers.join()",
  "$trigger.body.list.join('')",
  "$trigger.body.list.toString()",
  "[1, [2, [3]]].flat()",
  "[1, 2, 3].slice(-2).concat([4], 5, [[6]])",
  "[1, 2, 3].map((a) => [1, 2].map((b) => [3].map((c) => a * b * c)))",
  "[1, 2].map((a) => ({ a, b: undefined })).map((o) => Object.keys(o).length)",
  "[[1, 2], [3]].map(([a, b]) => b)",
  "[[1, 2], [3]].map(([a, b]) => ({ a, b }))",
  "['b', 'a'].map((x) => x + x).reduce((a, b) => `${a}${b}`)",
  "Object.keys({ b: 1, 2: 1, a: 1, 1: 1, ...$trigger.body })",
  "$\\u0074rigger.body.length",
  "Object.assign({}, $trigger.body.own)",
  'Object.assign({}, JSON.parse(\'{"__proto__": {"polluted": 1}}\')).polluted',
  "Object.assign({ constructor: 1 }, { toString: 2 })",
  "Object.assign([], $trigger.body.list)",
  "Object.assign(Object, { keys: 1 })",
  'JSON.parse(\'{"__proto__": {"polluted": 1}}\').polluted',
  'JSON.parse(\'{"__proto__": {"polluted": 1}}\').__proto__.polluted',
  '({ ...JSON.parse(\'{"__proto__": {"polluted": 1}}\') }).polluted',
  'JSON.parse(\'{"toJSON": 1, "then": 2}\')',
  "JSON.parse('[1]', (key, value) => this)",
  "JSON.parse(JSON.stringify($trigger.body))",
  "JSON.parse({ toString: 1 })",
  "'constructor' in $trigger.body",
  "'__proto__' in $trigger.body.own",
  "'hasOwnProperty' in $trigger.body.own",
  "0 in $trigger.body",
  "'length' in $trigger.body.text",
  "$trigger in $trigger",
  "[...new Set($trigger.body.numbers)]",
  "new Set($trigger.body.numbers).constructor",
  "new Set($trigger.body.list)['size']",
  "[...new Set(...$trigger.body.list)]",
  "new Function('return 1').size",
  "[...new Map([[1, 2]])]",
  "[3, 1, 2].sort(constructor)",
  "[3, 1, 2].sort((a, b) => a.constructor - b.constructor)",
  "[3, 1, 2].sort((a, b) => a.__proto__ < b.__proto__ ? -1 : 1)",
  "[3, 1, 2].sort((constructor, toString) => constructor - toString)",
  "[3, 1, 2].sort((a, a) => a - a)",
  "[[3], [1]].sort()",
  "[[3], [1]].sort(([a], [b]) => a - b)",
  "[{ a: 2 }, { a: 1 }].sort((a, b) => a.a - b.a)",
  "[{ a: 2, b: 1 }, { a: 1, b: 5 }].sort((a, b) => a.a - b.b)",
  "$trigger.body.numbers.toSorted((a, b) => a - b)",
  "$trigger.body.numbers.toSorted()",
  "$trigger.body.list.toSorted()",
  "['a', $trigger.body.text, 'b'].sort((a, b) => a < b ? -1 : 1)",
  "[$trigger.body.list.reverse(), $trigger.body.list]",
  "[$trigger.body.list.slice().reverse(), $trigger.body.list]",
  "$trigger.body.numbers.map(encodeURIComponent)",
  "encodeURIComponent($trigger.body.text)",
  "parseInt($trigger.body.numbers[2])",
  "parseInt($trigger.body.numbers[4])",
  "parseInt.constructor('return 1')()",
  "$trigger.body.numbers.map((n) => n ** 2)",
  "(-0) ** 1",
  "0 ** 0",
  "$trigger.body.text.charCodeAt(5)",
  "$trigger.body.text.codePointAt(3)",
  "new Date($trigger.body.numbers[1]).getTime()",
  "new Date($trigger.body.numbers[2]).getTime()",
  "new Date($trigger.body.numbers[4]).toISOString()",
  "new Date($trigger.body.own).getTime()",
  "new Date($trigger.body.text).toISOString()",
  "new Date('2024-01-05').constructor",
  "new Date('2024-01-05').getTime.call(1)",
  "new Date('2024-01-05').__proto__.getTime()",
  "new Date(new Date('2024-01-05')) - '5'",
  "new Date('2024-01-05') < $trigger.body.nope",
  "new Date('0000-01-01').toISOString()",
  "Date.constructor('return 1')()",
  "Date.parse($trigger.body.own)",
  "const { constructor } = $trigger.body; return constructor;",
  "const { __proto__ } = $trigger.body.own; return __proto__;",
  "const { __proto__: found } = $trigger.body; return found;",
  "const __proto__ = 1; return { __proto__ };",
  "const constructor = 1; return constructor + constructor;",
  "const { length } = $trigger.body.text; return length;",
  "const { length } = $trigger.body.list; return length;",
  "const { map } = $trigger.body.list; return map;",
  "const [first] = $trigger.body.text; return first;",
  "const { a } = $trigger.body.empty; return a;",
  "const process = 1; return process;",
  "const f = $trigger.body.list.map; return f.constructor('return this')();",
  "return this;",
  "return arguments;",
  "return new.target;",
  "return 1; } + function () {",
  "return 1 <!-- 2",
  "return\n1",
  "if (1) return 1; else return globalThis;",
  "const a = $trigger.body.own; const b = { ...a }; return b.polluted;",
  "const a = new Date(0); return a.constructor;",
  "const a = new Date(0); return a - a;",
  "const a = new Date(0), b = [a]; return b;",
  "let a = 1; return $trigger.body.list.map(() => (a = 2));",
  "const a = [1]; a.length = 0; return a;",
  "const a = {}; a.__proto__.polluted = 1; return a;",
  "{ const a = 1; } return a;",
  "if (true) { const a = 1; return a; } return 2;",
];

test("nor is what reaches for prototypes, odd keys, odd numbers, odd text", async () => {
  let answered = 0;
  for (const attack of attacks) if (await isAnsweredAlike(attack)) answered += 1;
  console.log(`${attacks.length} attacks on what is evaluated in the server; ${answered} are answered there.`);
  expect(answered).toBeGreaterThan(80);
});

const key = fc.constantFrom(
  ...["'length'", "'__proto__'", "'constructor'", "'toString'", "0", "-1", "1.5", "'0'", "'-0'", "'01'", "''", "null"],
  ...["undefined", "true", "1e21", "'own'", "'list'", "'text'", "`then`", "'toJSON'", "$vars.empty", "$vars.length"],
);
const root = fc.constantFrom(
  "$trigger",
  "$trigger.body",
  "$vars",
  "$vars.own",
  "$vars.list",
  "$vars.text",
  "$vars.numbers",
);
const name = fc.constantFrom(
  "body",
  "own",
  "list",
  "__proto__",
  "constructor",
  "length",
  "polluted",
  "then",
  "nope",
  "a",
);
const member = fc
  .tuple(
    root,
    fc.array(
      fc.oneof(
        key.map((of) => `[${of}]`),
        key.map((of) => `?.[${of}]`),
        name.map((of) => `.${of}`),
        name.map((of) => `?.${of}`),
      ),
      { maxLength: 4 },
    ),
  )
  .map(([of, steps]) => of + steps.join(""));
const operator = fc.constantFrom(
  "+",
  "-",
  "*",
  "/",
  "%",
  "==",
  "!=",
  "===",
  "<",
  ">=",
  "&&",
  "||",
  "??",
  "in",
  "**",
  ",",
);
const put = fc.constantFrom<(value: string) => string>(
  (value) => value,
  (value) => `-${value}`,
  (value) => `typeof ${value}`,
  (value) => `\`<\${${value}}>\``,
  (value) => `({ a: ${value}, ...${value} })`,
  (value) => `[${value}, ${value}]`,
  (value) => `({ __proto__: ${value} })`,
  (value) => `({ "__proto__": 1, ["a"]: ${value} })`,
  (value) => `!${value} ? ${value} : [${value}]`,
);
const attack = fc.oneof(
  fc.tuple(put, member).map(([wrap, value]) => wrap(value)),
  fc.tuple(put, member, operator, member).map(([wrap, left, by, right]) => wrap(`((${left}) ${by} (${right}))`)),
);

test("nor is anything that is made of these at random", async () => {
  let answered = 0;
  const alike = fc.asyncProperty(attack, async (text) => {
    if (await isAnsweredAlike(text)) answered += 1;
  });
  await fc.assert(alike, { numRuns: 4_000 });
  console.log(`4000 random attacks on what is evaluated in the server; ${answered} are answered there.`);
  expect(answered).toBeGreaterThan(500);
});
