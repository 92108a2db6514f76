// A stopping server lets runs finish that can, hands back the others, and exits with code 0.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { callingFlow, callsByKey } from "#e2e/support/held-requests.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { databaseStopped, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";

// Proves configuration.signals
test("runs in progress end before it exits, or after the next start; none is lost, no ended one repeated", async () => {
  let isStopped = false;
  // Calls to the one stay open for longer than the server waits; those to the other end before.
  const sink = await countingServer((_, { url }) => (!isStopped && url.startsWith("/second/") ? "hold" : {}));
  const slow = await countingServer(() => "hold");
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir });
  const client = new ServerClient(server);
  const held = await client.createFlow(...callingFlow(sink.url, ["first", "second", "third"]));
  const brief = await client.createFlow(...callingFlow(slow.url, ["call"]));
  const ids = await Promise.all([0, 1, 2].map((number) => client.start(held, { number })));
  const briefIds = await Promise.all([0, 1, 2].map((number) => client.start(brief, { number })));
  await sink.until(6);
  await slow.until(3);

  const stopped = server.stop();
  await eventually("the server stops", () => (server.logs().includes("Stopping…") ? true : undefined));
  slow.release();
  expect(await stopped).toBe(0);
  isStopped = true;
  expect(sink.aborted()).toBe(3);
  expect(slow.aborted()).toBe(0);

  const again = await startServer({ dataDir, env: { BOOTSTRAP_API_KEY: server.apiKey } });
  try {
    const after = new ServerClient({ url: again.url, apiKey: server.apiKey });
    for (const id of briefIds) expect((await after.read(id)).status).toBe("completed");
    // Handed back, they need not wait for a lease to expire.
    const startedAt = performance.now();
    for (const execution of await after.allEnded(ids)) {
      expect(execution).toMatchObject({ status: "completed", nodesExecuted: 3 });
    }
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    const calls = callsByKey(sink.received);
    for (const id of ids) {
      expect(["first", "second", "third"].map((step) => calls.get(`${id}.${step}`))).toEqual([1, 2, 1]);
    }
    expect([...callsByKey(slow.received).values()]).toEqual([1, 1, 1]);
  } finally {
    expect(await again.stop()).toBe(0);
    await databaseStopped(dataDir);
    removeFilesOf(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
