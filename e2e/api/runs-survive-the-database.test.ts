// The database goes away during runs: callers are told, and everything continues when it is back.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { EventReader } from "#e2e/support/event-stream.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { callingFlow, callsByKey } from "#e2e/support/held-requests.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { clusterOf, superuser } from "#lib/platform/embedded-postgres/cluster.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.kill());

const steps = ["first", "second"];

/** Like `pg_ctl stop -m immediate`: every connection breaks, and the next start has to recover. */
function stopDatabase(): void {
  const [pid] = readFileSync(join(clusterOf(server.dataDir), "postmaster.pid"), "utf8").split("\n");
  process.kill(Number(pid), "SIGQUIT");
}

// Proves configuration.health, errors.unavailable
test("meanwhile the API answers 503 with a time to retry; afterwards all runs complete, nothing called twice", async () => {
  const sink = await countingServer((_, { url }) => (url.startsWith("/first/") ? "hold" : {}));
  const client = new ServerClient(server);
  const flowId = await client.createFlow(...callingFlow(sink.url, steps));
  const ids = await Promise.all(Array.from({ length: 20 }, (_, number) => client.start(flowId, { number })));
  await sink.until(20);

  const reader = await EventReader.open(`/executions/${ids[0]}/stream`, {
    base: `${server.url}/api/v1`,
    key: server.apiKey,
  });
  await reader.until("the run is told", ({ data }) => data.status === "running");
  stopDatabase();
  const requests = [
    () => client.call("GET", "/flows"),
    () => client.call("GET", `/executions/${ids[0]}`),
    () => client.call("POST", `/flows/${flowId}/execute`, { data: {} }),
    () => client.call("PATCH", `/flows/${flowId}`, { name: "Test" }),
  ];
  for (const request of requests) {
    const answer = await request();
    expect(answer).toMatchObject({ status: 503, error: { code: "SERVICE_UNAVAILABLE" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/postgres|ECONN|prisma/i);
  }
  expect((await fetch(`${server.url}/api/health`)).status).toBe(503);
  // While the database is away, the running nodes end.
  sink.release();

  for (const execution of await client.allEnded(ids, 30_000)) {
    expect(execution).toMatchObject({ status: "completed", nodesExecuted: 2, errorCount: 0 });
  }
  // Clients that follow a run are not disconnected meanwhile.
  await reader.ended;
  expect(reader.events.at(-1)?.data).toMatchObject({ id: ids[0], status: "completed" });
  await eventually("the server is well again", async () =>
    (await fetch(`${server.url}/api/health`)).ok ? true : undefined,
  );
  const calls = callsByKey(sink.received);
  for (const id of ids) expect(steps.map((step) => calls.get(`${id}.${step}`))).toEqual([1, 1]);
});

test("200 runs complete although the database is restarted; what was recorded as done is not called again", async () => {
  const sink = await countingServer();
  const client = new ServerClient(server);
  const flowId = await client.createFlow(...callingFlow(sink.url, ["first", "second", "third"]));
  const ids = await Promise.all(Array.from({ length: 200 }, (_, number) => client.start(flowId, { number })));
  await sink.until(150);
  stopDatabase();
  await eventually("the server is well again", async () =>
    (await fetch(`${server.url}/api/health`)).ok ? true : undefined,
  );
  for (const execution of await client.allEnded(ids, 60_000)) {
    expect(execution).toMatchObject({ status: "completed", nodesExecuted: 3, errorCount: 0 });
  }
  const calls = callsByKey(sink.received);
  expect(calls.size).toBe(600);
  // A run that could not be written for too long is taken over: its call in flight is repeated.
  expect(Math.max(...calls.values())).toBeLessThanOrEqual(2);
  expect(sink.received.length).toBeLessThanOrEqual(600 + 50);
});

test("ended connections cost a server nothing", async () => {
  const client = new ServerClient(server);
  const password = readFileSync(join(server.dataDir, "postgres-password"), "utf8").trim();
  const port = readFileSync(join(clusterOf(server.dataDir), "postmaster.pid"), "utf8").split("\n")[3];
  const admin = new pg.Client(`postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres`);
  await admin.connect();
  try {
    const sink = await countingServer(() => "hold");
    const flowId = await client.createFlow(...callingFlow(sink.url, ["first"]));
    const ids = await Promise.all(Array.from({ length: 10 }, (_, number) => client.start(flowId, { number })));
    await sink.until(10);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'millrace'");
    sink.release();
    for (const execution of await client.allEnded(ids)) expect(execution.status).toBe("completed");
    expect(sink.received).toHaveLength(10);
  } finally {
    await admin.end();
  }
});
