import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { createCredential } from "#lib/credentials/credentials.ts";
import { node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { runNode } from "#lib/executions/nodes/run-node.ts";
import { stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";

inOwnDatabase();

test("a credential that the flow names is masked in what a disabled node passes on, even as the first node", async () => {
  const actor = await newActor();
  await createCredential(actor, { name: "shop", type: "secret", data: { value: "hunter2hunter2" } });
  const nodes = [
    { ...node("here", "log"), disabled: true },
    node("later", "log", { message: "{{ $credentials.shop }}" }),
  ];
  const run = { ...testRun({ nodes, trigger: { body: "say hunter2hunter2" } }), workspaceId: actor.workspaceId };
  const outcome = await runNode(run, stepOf(run, "here"), {} as Outside);
  expect(outcome).toMatchObject({ status: "completed", output: { value: "say •••" } });
});
