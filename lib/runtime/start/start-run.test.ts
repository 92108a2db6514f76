import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { node } from "#lib/engine/testing/flows.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { startRun } from "./start-run.ts";

const sandbox = createSandbox({ children: 1 });
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  singleton("outside", () => ({ sandbox, outbound: {} as Outside["outbound"] }));
  flow = await storedFlow(await newActor(), [node("code", "code", { code: "return 1;" })]);
});

async function start() {
  const version = await loadVersion(flow.id, flow.version);
  if (version === null) throw new Error("the version is gone");
  return await startRun(flow, version, {
    triggerType: "manual",
    trigger: triggerTextOf({ body: {}, headers: {}, query: {}, method: "POST" }),
    source: "api",
    ip: null,
    userAgent: null,
  });
}

test("a run whose request arrives when the server has drained is refused instead of failing half-way", async () => {
  expect((await (await start()).end)?.status).toBe("completed");
  await worker().drain();
  await sandbox.close();
  await expect(start()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 1 });
  expect(await database().execution.count()).toBe(1);
});
