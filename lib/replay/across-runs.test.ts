// How nodes that reach across runs, and nodes with keys, behave when another version replays a run.
import { afterAll, describe, expect, test } from "vitest";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { definitionOf, edge, node } from "#lib/engine/testing/flows.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { compareRun } from "./backtest.ts";
import { prepareReplay } from "./prepare.ts";
import type { RecordedOutcome } from "./recording.ts";
import { emptyTrigger } from "./replay.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const first = (value: string) => node("first", "transform", { transform: value });
const flowOf = (...nodes: FlowNode[]) =>
  prepareReplay(
    definitionOf(
      nodes,
      nodes.slice(1).map(({ id }, index) => edge(`${nodes[index]?.id} -> ${id}`)),
    ),
  );

/** Compares a run of a two-node flow with one whose first or second node differs. */
async function compared(
  [type, config, recorded]: readonly [string, JsonObject, RecordedOutcome],
  changed: { readonly first?: string; readonly config?: JsonObject },
) {
  const before = flowOf(first("1"), node("own", type, config));
  const after = flowOf(first(changed.first ?? "1"), node("own", type, changed.config ?? config));
  const now = "2026-01-31T10:00:00.000Z";
  const steps = new Map([["own", recorded]]);
  const run = { status: "completed", trigger: emptyTrigger, now, steps } as const;
  const context = { flowName: "Test", sandbox, owner: "ws", signal: new AbortController().signal };
  const { verdict, after: replayed } = await compareRun(before, after, run, context);
  return { verdict, output: replayed.output };
}

const hmac = ["crypto", { action: "hmac", credential: "shop" }, { output: "c0ffee" }] as const;
const uuid = ["crypto", { action: "uuid" }, { output: "8c0f4b36" }] as const;
const dedupe = { items: "[$node.output]", dedupe: {} };
const batch = ["batch", dedupe, { output: { fresh: [], seen: [1] } }] as const;
const event = ["wait-for", { key: "paid {{ $node.output }}" }, { output: { amount: 5 } }] as const;

describe("a replay by another version", () => {
  test.each([
    ["crypto with a key", hmac],
    ["a random value", uuid],
    ["batch with dedupe", batch],
    ["an event", event],
  ] as const)("has what is recorded: %s", async (_, recorded) => {
    expect(await compared(recorded, {})).toEqual({ verdict: "same", output: recorded[2].output });
  });

  test.each([
    ["crypto has another input", hmac, { first: "2" }],
    ["crypto has another key", hmac, { config: { action: "hmac", credential: "other" } }],
    ["batch has other items", batch, { first: "2" }],
    ["batch has another window", batch, { config: { ...dedupe, dedupe: { window: 1_000 } } }],
    ["another event is waited for", event, { first: "2" }],
  ] as const)("is unknown where %s", async (_, recorded, changed) => {
    expect((await compared(recorded, changed)).verdict).toBe("unknown");
  });

  test("has the same random value, whatever came before it", async () => {
    expect((await compared(uuid, { first: "2" })).output).toBe("8c0f4b36");
  });

  test("lets everything through a limit", async () => {
    const limit = ["rate-limit", { key: "crm", limit: 1, perMs: 1_000 }, { output: 1 }] as const;
    expect(await compared(limit, { first: "2" })).toEqual({ verdict: "changed", output: 2 });
  });
});
