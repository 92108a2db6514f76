// A server killed during runs loses none of them, and repeats nothing that it recorded as done.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { callingFlow, callsByKey } from "#e2e/support/held-requests.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { databaseStopped, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";

const steps = ["first", "second", "third"];
const runs = 200;
/** Held calls occupy their runs' slots. */
const env = { EXECUTION_CONCURRENCY: "250" };

// Proves configuration.killed, http-request.idempotency-key-crash
test("200 runs of a killed server complete after the next start, each node once, no recorded one repeated", async () => {
  let isKilled = false;
  // One run in three ends undisturbed; of the others the second or the third call is open when the server is killed.
  const held = (url: string) => {
    const [, step, number] = url.split("/");
    return !isKilled && Number(number) % 3 !== 0 && step === (Number(number) % 3 === 1 ? "second" : "third");
  };
  const sink = await countingServer((_, { url }) => (held(url) ? "hold" : {}));
  const dataDir = dataDirectory();
  const server = await startServer({ dataDir, env });
  const before = new ServerClient(server);
  const receiver = await countingServer();
  const events = ["execution.started", "execution.completed", "execution.failed", "execution.cancelled"];
  expect((await before.call("POST", "/webhooks", { url: receiver.url, events })).status).toBe(201);
  const flowId = await before.createFlow(...callingFlow(sink.url, steps));
  const ids = await Promise.all(Array.from({ length: runs }, (_, number) => before.start(flowId, { number })));
  const undisturbed = ids.filter((_, number) => number % 3 === 0);
  const openCalls = runs - undisturbed.length;
  const ofThree = (rest: number) => ids.filter((_, number) => number % 3 === rest).length;
  await sink.until(ofThree(0) * 3 + ofThree(1) * 2 + ofThree(2) * 3);
  // Their ends are on disk: the only calls in flight when the server is killed are those that the sink holds.
  await before.allEnded(undisturbed);
  await server.kill();
  isKilled = true;
  expect(sink.aborted()).toBe(openCalls);
  const called = callsByKey(sink.received);

  const again = await startServer({ dataDir, env: { ...env, BOOTSTRAP_API_KEY: server.apiKey } });
  try {
    const after = new ServerClient({ url: again.url, apiKey: server.apiKey });
    for (const execution of await after.allEnded(ids, 60_000)) {
      expect(execution).toMatchObject({ status: "completed", nodesExecuted: 3, errorCount: 0 });
      expect(execution.nodes.map(({ nodeId, status }) => [nodeId, status])).toEqual(
        steps.map((step) => [step, "completed"]),
      );
    }
    const calls = callsByKey(sink.received);
    expect(calls.size).toBe(runs * steps.length);
    expect(sink.received.length).toBe(runs * steps.length + openCalls);
    for (const id of undisturbed) expect(steps.map((step) => calls.get(`${id}.${step}`))).toEqual([1, 1, 1]);
    for (const [key, count] of calls) {
      const [id, step = ""] = key.split(".");
      // The next node's call arrived, so this node's end was on disk.
      const next = `${id}.${steps[steps.indexOf(step) + 1]}`;
      if (called.has(next)) expect([key, count]).toEqual([key, 1]);
      expect(count).toBeLessThanOrEqual(2);
    }
    // A delivery in flight when the server died may arrive again, under the same id.
    const delivered = await eventually("every run's two events arrive", () => {
      const bodies = new Map(receiver.received.map(({ headers, body }) => [headers["webhook-id"], JSON.parse(body)]));
      return bodies.size >= runs * 2 ? [...bodies.values()] : undefined;
    });
    const expected = ids.flatMap((id) => [`${id} execution.completed`, `${id} execution.started`]);
    expect(delivered.map(({ event, data }) => `${data.executionId} ${event}`).toSorted()).toEqual(expected.toSorted());
  } finally {
    expect(await again.stop()).toBe(0);
    await databaseStopped(dataDir);
    removeFilesOf(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
