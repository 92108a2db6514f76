import { describe, expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { driftOf } from "./drift.ts";
import { cutBelow, learn, mergeInto, newShape, placesOf, type Shape, shapeLimits } from "./learn-from-value.ts";
import { schemaOf } from "./read-flow-types.ts";
import { foldShapes, mergeShapes, noShapes, shapeOfNode, unfoldShapes, versionBytesMax } from "./version-types.ts";

function shapeOf(...values: readonly unknown[]): Shape {
  const shape = newShape();
  for (const value of values) learn(shape, value);
  return shape;
}
const hundred = (value: unknown) => shapeOf(...Array.from({ length: 100 }, () => value));

describe("a shape", () => {
  test("learns types, and which fields are always present", () => {
    const shape = shapeOf({ total: 1, note: "a" }, { total: 2.5, note: null, items: [{ id: 1 }, "x"] }, { total: 3 });
    expect(schemaOf(shape)).toEqual({
      type: "object",
      "x-seen": 3,
      required: ["total"],
      properties: {
        total: { type: "number", "x-seen": 3, "x-missing": 0 },
        note: { type: ["null", "string"], "x-seen": 2, "x-missing": 1 },
        items: {
          type: "array",
          "x-seen": 1,
          "x-missing": 2,
          items: {
            type: ["string", "object"],
            "x-seen": 2,
            required: ["id"],
            properties: { id: { type: "integer", "x-seen": 1, "x-missing": 0 } },
          },
        },
      },
    });
  });

  test("keeps no values, and no keys that are data", async () => {
    const secrets = [
      "ada@example.com",
      "01kad6w1m4e8tvm8d9fqzc4x2r",
      "2026-01-31",
      "550e8400-e29b-41d4",
      "a\u0000b",
      "\ud800",
    ];
    const shape = shapeOf({ name: "a-canary", byKey: Object.fromEntries(secrets.map((key) => [key, "a-canary"])) });
    const text = JSON.stringify(schemaOf(shape)) + (await foldShapes({ runs: 1, trigger: shape, nodes: new Map() }));
    for (const secret of ["a-canary", ...secrets]) expect(text).not.toContain(secret);
    expect(schemaOf(shape).properties).toMatchObject({
      byKey: { additionalProperties: { type: "string", "x-seen": secrets.length } },
    });
  });

  test("is bounded, whatever the data", () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`key${String.fromCharCode(97 + (index % 26))}${index}`, index]),
    );
    let deep: unknown = 1;
    for (let level = 0; level < 400; level += 1) deep = { deep, other: [deep] };
    const polluting = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": 1}}');
    const shape = newShape();
    const values = [many, deep, polluting, Array.from({ length: 100_000 }, () => many), "x".repeat(1_000_000)];
    expect(cpuTime(() => values.forEach((value) => void learn(shape, value)))).toBeLessThan(2_000);
    expect(placesOf(shape)).toBeLessThanOrEqual(shapeLimits.placesMax);
    expect(({} as { a?: number }).a).toBeUndefined();
    expect(Object.keys(schemaOf(shapeOf(polluting)).properties as object)).toEqual(["__proto__", "constructor"]);
    expect(schemaOf(shapeOf(many))).toMatchObject({ "x-seen": 1, additionalProperties: { type: "integer" } });
  });

  test("by two servers merges to what one would have learned", () => {
    const values = [{ a: 1 }, { a: "x", b: [1] }, { b: [null, { c: true }] }, 7];
    const [first, second] = [shapeOf(values[0], values[2]), shapeOf(values[1], values[3])];
    mergeInto(first, second);
    expect(JSON.parse(JSON.stringify(schemaOf(first)))).toEqual(
      schemaOf(shapeOf(values[0], values[2], values[1], values[3])),
    );
  });

  test("about a whole flow fits in a version's limit, and is read back unchanged", async () => {
    const shapes = noShapes();
    const wide = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `${"ü".repeat(60)}${String.fromCharCode(97 + (index % 26))}${index}`,
        { a: 1, b: { c: [1] } },
      ]),
    );
    for (let index = 0; index < 600; index += 1) {
      const shape = shapeOfNode(shapes, `node${index}`);
      if (shape !== null) learn(shape, wide);
    }
    expect(Buffer.byteLength(await foldShapes(shapes))).toBeLessThanOrEqual(versionBytesMax);
    const small = noShapes();
    for (const id of ["__proto__", "a\u0000"]) learn(shapeOfNode(small, id) ?? expect.fail(), { x: [1, null] });
    expect(unfoldShapes(await foldShapes(small), 0)).toEqual(small);
    const both = noShapes();
    mergeShapes(both, small);
    expect(both).toEqual(small);
  });
});

test("a truncated shape learns nothing more: its counts would be wrong", async () => {
  const shapes = noShapes();
  const value = { customer: { name: "Ada" } };
  for (let count = 0; count < 5; count += 1) learn(shapeOfNode(shapes, "a") ?? expect.fail(), value);
  const shape = shapes.nodes.get("a") ?? expect.fail();
  cutBelow(shape, 2);
  const read = unfoldShapes(await foldShapes(shapes), 5).nodes.get("a") ?? expect.fail();
  learn(read, value);
  mergeInto(read, shapeOf(value));
  expect(schemaOf(read).properties).toEqual({ customer: { type: "object", "x-seen": 7, "x-missing": 0 } });
  const second = shapeOf(value);
  mergeInto(second, read);
  expect(schemaOf(second)).toEqual(schemaOf({ ...read, types: { object: 8 }, fields: second.fields }));
  expect(second.fields.get("customer")?.fields.size).toBe(0);
});

test("for a partially sampled object, no field counts as missing", () => {
  const shape = newShape();
  learn(shape, { a: 1, b: 2 }, { values: 2, places: 10 });
  learn(shape, { a: 1, b: 2 });
  expect(schemaOf(shape).properties).toEqual({
    a: { type: "integer", "x-seen": 2 },
    b: { type: "integer", "x-seen": 1 },
  });
});

describe("drift", () => {
  const usual = hundred({ total: 1, items: [{ price: 2 }], note: "a" });

  test.each([
    [{ total: "1", items: [], note: "a" }, "output.total", "is text, and was always a number"],
    [{ total: 1, items: [{ price: null }], note: "a" }, "output.items[].price", "is null, and was always a number"],
    [{ total: 1, items: [] }, "output.note", "is missing, and was always there"],
    ["text", "output", "is text, and was always an object"],
  ])("%j", (value, path, message) => {
    expect(driftOf(usual, value, "output")).toEqual({ path, message });
  });

  test.each([
    [{ total: 2.5, items: [], note: "" }],
    [{ total: 1, items: [{ price: 2, more: 1 }], note: "b", extra: {} }],
  ])("is none: %j", (value) => {
    expect(driftOf(usual, value, "output")).toBeNull();
  });

  test("is not reported before a hundred values", () => {
    const shape = shapeOf(...Array.from({ length: 99 }, () => 1));
    expect(driftOf(shape, "x", "output")).toBeNull();
    learn(shape, 1);
    expect(driftOf(shape, "x", "output")).not.toBeNull();
  });
});
