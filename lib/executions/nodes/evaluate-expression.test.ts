// An expression is evaluated over what it reads, however much else the run holds.
import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { evaluateExpression as endpoint } from "#lib/contract/flows/checks.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { evaluateExpression } from "./evaluate-expression.ts";

let actor: Actor;
let executionId: string;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  executionId = await storedExecution(await storedFlow(actor), "this process");
  // Not JSON: reading it would fail.
  const nodes = [nodeRecord("a", { output: "5" }), nodeRecord("b", { output: "6" }), nodeRecord("c", { output: "{" })];
  await recordNodes({ executionId, fence: 1, nodes, logs: [] });
});

/** The scope that a sandbox gets for it. */
async function scopeOf(expression: string, before?: string): Promise<Record<string, string>> {
  let given: Record<string, string> = {};
  const run: Sandbox["run"] = async ({ scope }) => {
    given = { ...scope };
    throw new Error("that was all");
  };
  const body = endpoint.body.parse({ expression, executionId, before });
  const evaluated = evaluateExpression(actor, body, { run } as unknown as Sandbox);
  await expect(evaluated).rejects.toThrow("that was all");
  return given;
}

test("outputs that it does not mention are not read", async () => {
  expect(await scopeOf("$nodes['a'].output")).toEqual({ $nodes: '{"a":{"output":5}}' });
  expect(await scopeOf("$vars.any")).toEqual({ $vars: "{}" });
});

test("the previous node's output is read", async () => {
  expect(JSON.parse((await scopeOf("$node.output", "b")).$node ?? "")).toMatchObject({ id: "b", output: 6 });
});

test("all are read if the expression does not say which", async () => {
  const body = endpoint.body.parse({ expression: "$nodes[$vars.id]", executionId });
  await expect(evaluateExpression(actor, body, {} as Sandbox)).rejects.toThrow(SyntaxError);
});

test("an item and its index have a value only if they are given", async () => {
  const given: Record<string, string>[] = [];
  const run: Sandbox["run"] = async ({ scope }) => {
    given.push({ ...scope });
    return { results: [{ ok: true, json: "7", type: "number" }] } as unknown as Awaited<ReturnType<Sandbox["run"]>>;
  };
  const evaluate = (context: object) => {
    const body = endpoint.body.parse({ expression: "$item.n + $index", executionId, context });
    return evaluateExpression(actor, body, { run } as unknown as Sandbox);
  };
  expect(await evaluate({ item: { n: 5 }, index: 2 })).toEqual({ ok: true, value: 7, type: "number" });
  expect(given).toEqual([{ $item: '{"n":5}', $index: "2" }]);
  expect(await evaluate({ item: null, index: 0 })).toMatchObject({ ok: true });
  expect(await evaluate({ index: 2 })).toMatchObject({
    ok: false,
    error: { message: "$item has a value in a run only" },
  });
  expect(endpoint.body.safeParse({ expression: "1", context: { index: -1 } }).success).toBe(false);
});
