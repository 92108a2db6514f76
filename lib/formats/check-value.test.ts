import { expect, test } from "vitest";
import { convert } from "./convert.ts";

const { signal } = new AbortController();
const check = async (schema: unknown, value: unknown, timeMs?: number) => {
  const task = { schema: JSON.stringify(schema), value: JSON.stringify(value) };
  const checked = await convert(task, "owner", signal, timeMs);
  return "json" in checked ? JSON.parse(checked.json) : checked;
};

test("reports where a value does not match its schema", async () => {
  const schema = {
    type: "object",
    properties: { list: { type: "array", items: { $ref: "#/$defs/one" } } },
    required: ["list"],
    $defs: { one: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } },
  };
  expect(await check(schema, { list: [{ n: 1 }] })).toEqual([]);
  expect(await check(schema, { list: [{ n: 1 }, { n: "1" }] })).toMatchObject([{ path: ["list", 1, "n"] }]);
  expect(await check(schema, null)).toMatchObject([{ path: [] }]);
});

test("reports at most twenty problems", async () => {
  const schema = { type: "object", additionalProperties: { type: "number" } };
  const value = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, "x"]));
  expect(await check(schema, value)).toHaveLength(20);
});

test.each([{ type: "object", properties: { a: { $ref: "#/nowhere" } } }, { type: "what" }])(
  "%j is no schema",
  async (schema) => {
    expect(await check(schema, { a: 1 })).toHaveProperty("problem");
  },
);

test("a slow pattern or an endlessly recursive schema is stopped, and the next check still works", async () => {
  const pattern = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  expect(await check(pattern, { a: `${"a".repeat(50)}!` }, 500)).toHaveProperty("problem");
  const node = { type: "object", properties: { x: { allOf: [{ $ref: "#/$defs/n" }, { $ref: "#/$defs/n" }] } } };
  const deep = Array.from({ length: 60 }).reduce<object>((x) => ({ x }), {});
  const checked = await check(
    { type: "object", properties: { x: { $ref: "#/$defs/n" } }, $defs: { n: node } },
    deep,
    500,
  );
  expect(Array.isArray(checked) || "problem" in checked).toBe(true);
  expect(await check({ type: "object" }, {})).toEqual([]);
});
