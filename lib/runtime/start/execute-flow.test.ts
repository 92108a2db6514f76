// A large answer of `execute` is streamed as stored text; it must have the same form as a small one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import { executeFlow } from "./execute-flow.ts";

let actor: Actor;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});
afterAll(() => worker().drain());

async function execute(text: string): Promise<object> {
  const nodes = [
    node("if", "if-else", { condition: "true" }),
    node("say", "respond", { body: { text, "\ud800": null } }),
    node("other", "respond", { body: 1 }),
  ];
  const edges = [edge("if -> say", { sourceHandle: "true" }), edge("if -> other", { sourceHandle: "false" })];
  const flow = await storedFlow(actor, nodes, edges);
  const body = { data: {}, async: false, metadata: {} };
  const answered = await executeFlow(actor, flow.id, body, { ip: null, userAgent: null });
  if (!("chunks" in answered)) return JSON.parse(JSON.stringify(answered.payload));
  expect(answered.status).toBe(200);
  let json = "";
  for await (const chunk of answered.chunks) json += chunk;
  return JSON.parse(json);
}

test("a large answer of execute has the form of a small one", async () => {
  const [small, large] = [await execute("short"), await execute("ü\u0000".repeat(100_000))];
  const output = { text: "ü\u0000".repeat(100_000), "\ud800": null };
  expect(large).toMatchObject({
    status: "completed",
    output,
    nodes: [
      { nodeId: "if", status: "completed" },
      { nodeId: "say", status: "completed", output },
      { nodeId: "other", status: "skipped", output: null },
    ],
  });
  expect(Object.keys(large).sort()).toEqual(Object.keys(small).sort());
});
