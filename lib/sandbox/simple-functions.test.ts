// What reads and writes numbers, addresses and JSON does so in the server as in the sandbox, whatever it is given.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { valueHere } from "./testing/simple-here.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const rounds = Number(process.env.SIMPLE_ROUNDS ?? 1_500);
const partsOf = (...parts: readonly string[]) => fc.array(fc.constantFrom(...parts), { maxLength: 8 });

const numeral = partsOf(
  "0",
  "1",
  "9",
  "17",
  ".",
  "e",
  "E",
  "+",
  "-",
  "x",
  "X",
  "a",
  "F",
  "_",
  " ",
  "\t",
  "\u00a0",
  "Infinity",
);
const address = partsOf(
  "a",
  "ü",
  "😀",
  "%",
  "%2",
  "%20",
  "%2f",
  "%C3",
  "%BC",
  "%F4",
  "%90",
  "%80",
  "%E0",
  "%ed",
  "%a0",
  "\ud800",
  "/?#&",
);
const json = partsOf(
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  '"a"',
  '"__proto__"',
  "1",
  "-0",
  "1e3",
  "0.1",
  "1e999",
  "null",
  "true",
  " ",
  "\n",
  "'",
);
const any = fc.oneof(fc.json(), fc.string(), fc.double().map(String));

const text = fc.oneof(numeral, address, json).map((parts) => parts.join(""));
const call = fc.constantFrom(
  ...["parseInt($vars)", "parseInt($vars, 16)", "parseInt($vars, 2)", "parseFloat($vars)", "isNaN($vars)"],
  ...["isFinite($vars)", "encodeURIComponent($vars)", "decodeURIComponent($vars)", "encodeURI($vars)"],
  ...["decodeURI($vars)", "JSON.parse($vars)", "$vars.charCodeAt(1)", "$vars.codePointAt(1)", "Math.sqrt($vars)"],
  ...["Object.assign({}, JSON.parse($vars))", "new Set($vars.split('')).size", "'a' in JSON.parse($vars)"],
);

test("of texts that are almost numbers, addresses or JSON", async () => {
  let sure = 0;
  await fc.assert(
    fc.asyncProperty(call, fc.oneof(text, any), async (source, $vars) => {
      const own = valueHere(source, { $vars });
      if (own === "unsure") return;
      sure += 1;
      expect(JSON.stringify(own)).toBe(JSON.stringify(await valueFrom(sandbox, source, { $vars })));
    }),
    { numRuns: rounds },
  );
  console.log(`${sure} texts were read both ways.`);
  expect(sure).toBeGreaterThan(400);
});

test("powers and roots of whole numbers", async () => {
  const table =
    "$vars.map((x) => [0, 1, 2, 3, 4, 5, 9].map((y) => [x ** y, Math.pow(-x, y), Math.sqrt(x), Math.sign(x)]))";
  const $vars = Array.from({ length: 50 }, (_, index) => index + 1);
  expect(valueHere(table, { $vars })).toEqual(await valueFrom(sandbox, table, { $vars }));
});
