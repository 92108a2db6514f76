// What each released version stored opens in this one: a server is started on it, and everything that was there works.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { connect } from "#lib/platform/database/connect.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { Browser } from "../support/people.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { ServerClient } from "../support/server-client.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { restoreInto, storedVersion } from "../upgrades/stored-version.ts";

const versions = readdirSync(join(projectDirectory, "e2e/upgrades/testdata"));
const upgradeMsMax = 240_000;

let server: RunningServer | undefined;
afterAll(async () => {
  await server?.kill();
});

test.each(versions)("what %s stored is read and continues", { timeout: upgradeMsMax }, async (name) => {
  const stored = storedVersion(name);
  expect(stored.tables.filter(({ rows }) => rows.length === 0)).toEqual([]);
  const database = await createTestDatabase({ empty: true });
  const client = await connect(database.url);
  await restoreInto(client, stored);
  await client.end();
  server = await startServer({ env: { DATABASE_URL: database.url, ...stored.secrets } });
  expect(server.logs()).toMatch(/Applying \d+ migration/);
  const calls = new ServerClient({ url: server.url, apiKey: stored.apiKey });
  expect(await new Browser(server.url).signIn(stored.email, stored.password)).toBeNull();

  const flows = await calls.call<{ id: string }[]>("GET", "/flows");
  expect(flows.data.length).toBeGreaterThan(3);
  for (const { id } of flows.data) {
    for (const path of [`/flows/${id}`, `/flows/${id}/versions`]) {
      expect([path, (await calls.call("GET", path)).status]).toEqual([path, 200]);
    }
  }
  const runs = await calls.call<{ id: string; status: string }[]>("GET", "/executions");
  expect(new Set(runs.data.map(({ status }) => status))).toEqual(new Set(["completed", "failed", "running"]));
  for (const { id, status } of runs.data) {
    const run = await calls.read(id);
    expect([id, run.status, run.nodes.length]).toEqual([id, status, expect.any(Number)]);
  }
  for (const path of ["/credentials", "/webhooks", "/api-keys", "/alert-rules", "/alerts", "/executions/stats"]) {
    expect([path, (await calls.call("GET", path)).status]).toEqual([path, 200]);
  }
  const opened = await calls.ended(await calls.start(stored.sealed));
  expect(opened).toMatchObject({ status: "completed", output: "sealed then".length });
  const resumed = await calls.call("POST", `/executions/${stored.runId}/nodes/done/resume`, {});
  expect(resumed.status).toBe(200);
  expect(await calls.ended(stored.runId)).toMatchObject({ status: "completed" });
  expect(await server.stop()).toBe(0);
  server = undefined;
});
