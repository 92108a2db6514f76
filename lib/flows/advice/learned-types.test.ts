// Advice by learned types: flows that get it, and similar ones that do not.
import { describe, expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { learn, newShape, type Shape } from "#lib/flows/learned-types/learn-from-value.ts";
import { advise, call, type Given, node, respond, transform } from "./testing/given-flows.ts";

function shapeOf(values: readonly unknown[]): Shape {
  const shape = newShape();
  for (const value of values) learn(shape, value);
  return shape;
}
const trigger = (bodies: readonly unknown[]) =>
  shapeOf(bodies.map((body) => ({ body, headers: {}, query: {}, method: "POST" })));
const times = (count: number, value: unknown) => Array.from({ length: count }, () => value);

const order = { customer: { name: "Ada" }, total: 4, items: [{ price: 1 }], paid: true, created: "2026-01-31" };
const orders = times(20, order);
const some = [...times(18, order), { ...order, customer: null }, { total: 1, items: [] }];

/** By code: what is read, and the data of past runs. */
const cases: [FlowAdvice["code"], string, string, readonly unknown[]][] = [
  ["UNKNOWN_PATH", "$trigger.body.custmer.name", "$trigger.body.customer.name", orders],
  ["UNKNOWN_PATH", "$trigger.body.coupon", "$trigger.body.coupon ?? 'none'", orders],
  ["UNKNOWN_PATH", "$trigger.body.items[0].cost", "$trigger.body.items[0].price", orders],
  ["OPTIONAL_PATH", "$trigger.body.customer.name", "$trigger.body.customer?.name", some],
  ["OPTIONAL_PATH", "$trigger.body.customer.name", "$trigger.body.customer && $trigger.body.customer.name", some],
  ["TYPE_MISMATCH", "$trigger.body.created.toFixed(2)", "$trigger.body.total.toFixed(2)", orders],
  ["TYPE_MISMATCH", "$trigger.body.customer.map((one) => one)", "$trigger.body.items.map((one) => one)", orders],
];

describe("an expression", () => {
  const codesOf = async (nodes: readonly object[], bodies: readonly unknown[], overrides: Partial<Given> = {}) => {
    const found = await advise({ nodes, ...overrides, types: { trigger: trigger(bodies), nodes: new Map() } });
    return found.filter(({ severity }) => severity !== "info").map(({ code, nodeId, path }) => [code, nodeId, path]);
  };

  test.each(cases)("gets %s for %s, and not for %s", async (code, bad, good, bodies) => {
    expect(await codesOf([transform("t", bad)], bodies)).toEqual([[code, "t", "nodes[0].config.transform"]]);
    expect(await codesOf([transform("t", good)], bodies)).toEqual([]);
  });

  test("gets none for a type that the field accepts, and TYPE_MISMATCH for one that it never accepts", async () => {
    const loopOver = (items: string) =>
      node("each", "loop", { items, body: { nodes: [transform("t", "1")], edges: [] } });
    expect(await codesOf([loopOver("$trigger.body.items")], orders)).toEqual([]);
    expect(await codesOf([loopOver("$trigger.body.customer")], orders)).toEqual([
      ["TYPE_MISMATCH", "each", "nodes[0].config.items"],
    ]);
    expect(await codesOf([node("d", "delay", { ms: "{{ $trigger.body.total }}" })], orders)).toEqual([]);
    expect(await codesOf([node("d", "delay", { ms: "{{ $trigger.body.created }}" })], orders)).toEqual([
      ["TYPE_MISMATCH", "d", "nodes[0].config.ms"],
    ]);
  });

  test("gets none without knowledge: few values, objects used as maps, truncated shapes, paths that a condition tests", async () => {
    expect(await codesOf([transform("t", "$trigger.body.none")], orders.slice(0, 9))).toEqual([]);
    const table = times(20, { "ada@example.com": 1 });
    expect(await codesOf([transform("t", "$trigger.body.none")], table)).toEqual([]);
    const check = node("check", "if-else", { condition: "$trigger.body.customer != null" });
    const guarded = [check, transform("t", "$trigger.body.customer.name")];
    expect(await codesOf(guarded, some, { edges: ["check:true > t"] })).toEqual([]);
  });

  test("reads outputs of nodes by name, and of the only node before", async () => {
    const types = { trigger: null, nodes: new Map([["call", shapeOf(times(20, { status: 200, body: { id: 1 } }))]]) };
    const flow = (text: string) => ({
      nodes: [call("call"), transform("t", text), respond()],
      edges: ["call > t", "t > answer"],
      types,
    });
    const unknown = async (text: string) =>
      (await advise(flow(text))).filter(({ code }) => code === "UNKNOWN_PATH").length;
    expect(await unknown("$nodes.call.output.body.ID")).toBe(1);
    expect(await unknown("$node.output.body.ID")).toBe(1);
    expect(await unknown("$nodes.call.output.body.id + $node.output.body.id")).toBe(0);
  });
});

test("thousands of paths in one source are checked without blocking others", async () => {
  const paths = Array.from({ length: 3_300 }, (_, index) => `$trigger.body.a${index.toString(36)}`);
  const code = node("many", "code", { code: `${paths.join(";")};return 1` });
  const types = { trigger: trigger(orders), nodes: new Map() };
  let found: readonly FlowAdvice[] = [];
  const turn = await longestTurn(async () => {
    found = await advise({ nodes: [code], types });
  });
  expect(found.some(({ code: what }) => what === "UNKNOWN_PATH")).toBe(true);
  expect(turn).toBeLessThan(100);
});

test("in a very long source, only as many paths are checked as their search may cost", async () => {
  const types = { trigger: trigger(orders), nodes: new Map() };
  const unknown = async (code: string) =>
    (await advise({ nodes: [node("long", "code", { code })], types })).filter(
      ({ code: what }) => what === "UNKNOWN_PATH",
    ).length;
  const paths = Array.from({ length: 40 }, (_, index) => `$trigger.body.${"a".repeat(index + 1)}x`);
  const read = `${paths.join(";")};return 1`;
  expect(await unknown(read)).toBe(40);
  expect(await unknown(`${read} // ${"-".repeat(200_000)}`)).toBe(20);
});
