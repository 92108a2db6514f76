// What a flow writes to a file outlives its run: like a table, a file never gets a secret.
import { expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { node } from "#lib/engine/testing/flows.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { runNode } from "#lib/executions/nodes/run-node.ts";
import { createMask } from "#lib/executions/secrets/mask-secrets.ts";
import { fakeSandbox, stepOf, testRun } from "#lib/executions/testing/run-in-memory.ts";
import { listFiles, readFileBytes } from "#lib/files/use-files.ts";

inOwnDatabase();

test.each<[JsonObject, string, string]>([
  [{ path: "{{ $trigger.body.key }}.txt", content: "The key is {{ $trigger.body.key }}" }, "•••.txt", "The key is •••"],
  [{ path: "key.json", content: { key: "{{ $trigger.body.key }}" } }, "key.json", '{"key":"•••"}'],
  [{ path: "plain.txt", content: "{{ $trigger.body.name }}" }, "plain.txt", "ann"],
])("%j becomes the file %s", async (config, name, content) => {
  const { workspaceId } = await newActor();
  const nodes = [node("here", "file", { action: "write", ...config })];
  const run = { ...testRun({ nodes, trigger: { body: { key: "hunter2hunter2", name: "ann" } } }), workspaceId };
  run.mask = createMask(["hunter2hunter2"]);
  const outside = { sandbox: fakeSandbox().sandbox } as Outside;
  expect(await runNode(run, stepOf(run, "here"), outside)).toMatchObject({ status: "completed" });
  const [written] = await listFiles(workspaceId, "", 10);
  if (written === undefined) throw new Error("no file was written");
  expect(written.name).toBe(name);
  expect((await readFileBytes(written)).toString()).toBe(content);
});
