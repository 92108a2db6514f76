// Dates are in the server what they are in the sandbox.
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readProgram } from "#lib/expressions/read-expression.ts";
import { Budget, runSimple } from "#lib/expressions/simple-program.ts";
import { createSandbox } from "./sandbox.ts";
import { valueFrom } from "./testing/evaluate.ts";
import { valueHere } from "./testing/simple-here.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const orders = [{ at: "2024-05-02T10:00:00+02:00" }, { at: "2024-05-02T08:30:00Z" }, { at: "2024-05-01" }];
const scope = { $vars: { day: "2024-02-29", time: "2024-02-29T23:59:59.999Z", ms: 1_700_000_000_000.5, orders } };

describe("dates that are made and asked on the spot are so in the server", () => {
  test.each<[string, unknown]>([
    ["new Date($vars.day).toISOString()", "2024-02-29T00:00:00.000Z"],
    ["new Date($vars.ms).toJSON().slice(0, 10)", "2023-11-14"],
    ["new Date(new Date($vars.day).getTime() + 86400000).toISOString()", "2024-03-01T00:00:00.000Z"],
    ["(new Date($vars.time) - new Date($vars.day)) / 1000", 86_399.999],
    ["new Date($vars.time) > new Date($vars.day)", true],
    ["Date.parse($vars.time)", 1_709_251_199_999],
    ["[new Date($vars.time)].map((x) => 1)", "not simple"],
    ["`${new Date($vars.day).getUTCFullYear()}-${new Date($vars.day).getUTCMonth() + 1}`", "2024-2"],
    ["$vars.orders.toSorted((a, b) => new Date(b.at) - new Date(a.at)).map(({ at }) => at.length)", [20, 25, 10]],
    ["new Date(new Date(0)).valueOf()", 0],
  ])("%s", async (text, value) => {
    expect(valueHere(text, scope)).toEqual(value);
    if (value !== "not simple") expect(await valueFrom(sandbox, text, scope)).toEqual(value);
  });
});

describe("dates that go elsewhere, and local time, are left to the sandbox", () => {
  test.each([
    "new Date($vars.day)",
    "({ at: new Date($vars.day) })",
    "new Date($vars.day) + 1",
    "new Date($vars.day) == new Date($vars.day)",
    "`${new Date($vars.day)}`",
    "new Date($vars.day).getHours()",
    "new Date($vars.day).toLocaleString('de')",
    "new Date($vars.day).toString()",
    "new Date($vars.day)['getTime']()",
    "new Date($vars.day).constructor('return 1')",
    "new Date(2024, 1)",
    "Date($vars.day)",
    "Date.UTC(2024)",
    "Date.prototype",
    "$vars.orders.map((Date) => new Date(0).getTime())",
  ])("%s is not simple", (text) => {
    expect(valueHere(text, scope)).toBe("not simple");
  });

  test.each([
    ...["2024-02-30", "2023-02-29", "2024-13-01", "2024-01-05T10:00", "2024-01-05T24:00Z", "2024-1-5", "2024", "May 5"],
    ...["2024-01-05T10:00:60Z", "2024-01-05t10:00z", " 2024-01-05", "2024-01-05T10:00+15:00", "+002024-01-05", ""],
  ])("new Date('%s') is unsure", (text) => {
    expect(valueHere(`new Date('${text}').getTime()`, scope)).toBe("unsure");
  });

  test.each([
    "new Date(null).getTime()",
    "new Date(true).getTime()",
    "new Date(9e15).getTime()",
    "new Date(-8e15).toJSON()",
  ])("%s is unsure", (text) => {
    expect(valueHere(text, scope)).toBe("unsure");
  });
});

test("the present time is the clock's that the server is given, and the sandbox's own without one", async () => {
  const source = "[new Date().toISOString(), Date.now(), new Date() - new Date(0)]";
  expect(valueHere(source, scope)).toBe("unsure");
  const { simple } = readProgram(source);
  if (simple === null) throw new Error("it is not simple");
  const found = runSimple(simple, () => null, new Budget(() => 5));
  expect(found).toEqual({ kind: "value", value: ["1970-01-01T00:00:00.005Z", 5, 5] });
  const before = Date.now();
  const there = Number(await valueFrom(sandbox, "Date.now()", scope));
  expect(there).toBeGreaterThanOrEqual(before);
  expect(there).toBeLessThanOrEqual(Date.now());
});

test("the server and the sandbox agree about any time", async () => {
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, "0"));
  const year = fc.oneof(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 1_890, max: 2_100 }));
  const day = fc.tuple(year, two(13), two(32)).map(([y, m, d]) => `${String(y).padStart(4, "0")}-${m}-${d}`);
  const second = fc.tuple(two(60), fc.string({ unit: fc.constantFrom(..."0159"), maxLength: 10 }));
  const offset = fc.oneof(
    fc.constantFrom("Z", "", "z", "+00:00"),
    fc.tuple(fc.constantFrom("+", "-"), two(15), two(60)).map(([sign, h, m]) => `${sign}${h}:${m}`),
  );
  const time = fc.tuple(day, two(24), two(60), fc.option(second), offset).map(([date, h, m, s, zone]) => {
    const seconds = s === null ? "" : `:${s[0]}${s[1] === "" ? "" : `.${s[1]}`}`;
    return `${date}T${h}:${m}${seconds}${zone}`;
  });
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.double({ min: -9e15, max: 9e15, noNaN: true }),
    fc.integer({ max: 4e12 }),
  );
  const value = fc.oneof(day, time, number, fc.constantFrom(null, true, -0));
  const methods = ["toISOString", "getTime", "getUTCFullYear", "getUTCMonth", "getUTCDate", "getUTCDay", "getUTCHours"];
  const method = fc.constantFrom(
    ...methods,
    "getUTCMinutes",
    "getUTCSeconds",
    "getUTCMilliseconds",
    "toJSON",
    "valueOf",
  );
  const source = fc.oneof(
    method.map((name) => `new Date($vars.a).${name}()`),
    fc.constantFrom("new Date($vars.a) - new Date($vars.b)", "new Date($vars.a) <= $vars.b", "Date.parse($vars.a)"),
  );
  let sure = 0;
  await fc.assert(
    fc.asyncProperty(source, value, value, async (text, a, b) => {
      const $vars = JSON.parse(JSON.stringify({ a, b })) as Record<string, unknown>;
      const own = valueHere(text, { $vars });
      if (own === "unsure") return;
      sure += 1;
      expect(JSON.stringify(own)).toBe(JSON.stringify(await valueFrom(sandbox, text, { $vars })));
    }),
    { numRuns: Number(process.env.SIMPLE_ROUNDS ?? 1_500) },
  );
  console.log(`${sure} dates were asked both ways.`);
  expect(sure).toBeGreaterThan(300);
});
