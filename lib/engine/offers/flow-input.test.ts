import { expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import { flowSettings } from "#lib/engine/flow.ts";
import type { Json, JsonObject } from "#lib/engine/json.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { inputProblem, inputSchemaProblem } from "./flow-input.ts";
import { toolNameFrom, toolNameOf } from "./tool-name.ts";

const problemOf = (schema: JsonObject, value: Json) => inputProblem(schema, value, async () => {});

const order: JsonObject = {
  type: "object",
  properties: {
    id: { type: "string", minLength: 1 },
    kind: { enum: ["new", "old"] },
    items: {
      type: "array",
      maxItems: 2,
      items: { type: "object", required: ["price"], properties: { price: { type: "number" } } },
    },
  },
  required: ["id"],
  additionalProperties: false,
};

test("an input that matches its schema has no problem", async () => {
  expect(await problemOf(order, { id: "a", kind: "old", items: [{ price: 1 }, { price: 2.5 }] })).toBeNull();
});

test.each<[Json, string, string]>([
  [{}, "", "id is required"],
  [{ id: "" }, "id", "at least 1 characters"],
  [{ id: 7 }, "id", "must be string, not integer"],
  [{ id: "a", kind: "other" }, "kind", 'one of "new", "old"'],
  [{ id: "a", more: 1 }, "", "more is not one of its fields"],
  [{ id: "a", items: [{}] }, "items[0]", "price is required"],
  [{ id: "a", items: [1, 2, 3] }, "items", "at most 2 items"],
])("%j departs from its schema at %j: %s", async (value, path, message) => {
  expect(await problemOf(order, value)).toMatchObject({ path, message: expect.stringContaining(message) });
});

test("text is measured in characters, as JSON Schema does: a surrogate pair is one", async () => {
  const schema = { type: "string", minLength: 2, maxLength: 3 } as const;
  expect(await problemOf(schema, "😀😀😀")).toBeNull();
  expect((await problemOf(schema, "😀😀😀a"))?.message).toContain("at most 3 characters");
  expect((await problemOf(schema, "😀"))?.message).toContain("at least 2 characters");
});

test("names of JavaScript's built-in members are ordinary names", async () => {
  const schema = { type: "object", properties: {}, required: ["toString"], additionalProperties: false } as const;
  expect((await problemOf({ ...schema, required: [...schema.required] }, {}))?.message).toContain(
    "toString is required",
  );
  expect((await problemOf(order, JSON.parse('{"id":"a","__proto__":1}')))?.message).toContain("__proto__ is not one");
});

test("a large input is checked in turns, whatever the schema", async () => {
  const choices = Array.from({ length: 3_000 }, (_, index) => index);
  const schema: JsonObject = { type: "object", properties: { list: { type: "array", items: { enum: choices } } } };
  const value = { list: Array.from({ length: 300_000 }, (_, index) => index % 3_000) };
  let problem: unknown;
  const longestMs = await longestTurn(async () => {
    problem = await inputProblem(schema, value, yieldTurn);
  });
  expect(problem).toBeNull();
  expect(longestMs).toBeLessThan(100);
});

test("a schema must describe an object, and be small, shallow and self-contained", async () => {
  const deep = (levels: number): JsonObject =>
    levels === 0 ? {} : { type: "object", properties: { a: deep(levels - 1) } };
  const refused: JsonObject[] = [
    {},
    { type: "array" },
    { type: "object", description: "x".repeat(20_000) },
    deep(40),
    { type: "object", properties: { a: { $ref: "https://example.com/schema.json" } } },
  ];
  for (const schema of refused) expect(inputSchemaProblem(schema)).not.toBeNull();
  expect(inputSchemaProblem({ type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } })).toBeNull();
});

test("a tool's name comes from the settings, or else from the flow's name", async () => {
  expect(toolNameFrom("Order intake (EU)")).toBe("order_intake_eu");
  expect(toolNameFrom("  Größe & Maß 2 ")).toBe("gro_e_ma_2");
  expect(toolNameFrom("注文")).toBe("");
  expect(toolNameFrom("Millrace publish")).toBe("flow_millrace_publish");
  const flow = { name: "Sum", status: "active", settings: { mcp: { expose: true } } };
  expect(toolNameOf(flow)).toBe("sum");
  expect(toolNameOf({ ...flow, settings: { mcp: { expose: true, name: "add_up" } } })).toBe("add_up");
  expect(toolNameOf({ ...flow, status: "inactive" })).toBeNull();
  expect(toolNameOf({ ...flow, settings: { mcp: { name: "add_up" } } })).toBeNull();
});

test.each([
  { expose: "yes" },
  { name: "" },
  { name: "a b" },
  { name: "x".repeat(65) },
  { name: "millrace_run" },
  { name: "a\u0000" },
  { description: "\ud800" },
  { description: "x".repeat(2_001) },
])("settings.mcp of %j are refused", (mcp) => {
  expect(flowSettings.safeParse({ mcp }).success).toBe(false);
});
