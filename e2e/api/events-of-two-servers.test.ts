// Two servers on one database, of which one is killed: an event wakes each run once, and a limit is one for both.
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { edge, node, transform } from "#e2e/support/flows.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import { createTestDatabase } from "#e2e/support/test-database.ts";

const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "b".repeat(32), BOOTSTRAP_API_KEY: "c".repeat(40) };

let killed: RunningServer;
let survivor: RunningServer;
let [first, second]: ServerClient[] = [];

beforeAll(async () => {
  const { url } = await createTestDatabase();
  const env = { ...secrets, DATABASE_URL: url };
  [killed, survivor] = await Promise.all([startServer({ env }), startServer({ env })]);
  [first, second] = [new ServerClient(killed), new ServerClient(survivor)];
});
afterAll(async () => {
  await Promise.allSettled([killed?.kill(), survivor?.kill()]);
});

/** Starts runs of the flow, every other one on the other server. */
async function startOnBoth(flowId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await (index % 2 === 0 ? first : second)?.start(flowId)) ?? "");
  return ids;
}

// Proves nodes.rate-limit
test("a limit lets no more through than it allows, whichever server takes the turns", async () => {
  const config = { key: "shared", limit: 3, perMs: 3_600_000, onLimit: "error" };
  const flow = (await second?.createFlow([node("limit", "rate-limit", config)])) ?? "";
  const ended = (await second?.allEnded(await startOnBoth(flow, 20))) ?? [];
  expect(ended.filter(({ status }) => status === "completed")).toHaveLength(3);
  expect(ended.filter(({ error }) => error?.code === "RATE_LIMITED")).toHaveLength(17);
});

// Proves events.two-servers
test("an event wakes every run once, whenever a server is killed", async () => {
  const nodes = [
    node("wait", "wait-for", { key: "go" }),
    node("again", "wait-for", { key: "go", timeoutMs: 500 }),
    transform("twice", "'woken twice'"),
    transform("once", "$nodes.wait.output"),
  ];
  const timeout = { source: "again", target: "once", sourceHandle: "timeout" };
  const flow = (await second?.createFlow(nodes, [edge("wait", "again"), edge("again", "twice"), timeout])) ?? "";
  const ids = await startOnBoth(flow, 40);
  await eventually("all wait", async () => {
    const runs = await Promise.all(ids.map((id) => second?.read(id)));
    return runs.every((run) => run?.nodes.some(({ nodeId }) => nodeId === "wait")) || undefined;
  });
  const event = { key: "go", data: "went" };
  const options = { headers: { "idempotency-key": "once" } };
  const sent = first?.call("POST", "/events", event, options).catch(() => undefined);
  await killed.kill();
  await sent;
  // Whether the event was stored is not known: it is sent again under the same key.
  await eventually("it is sent", async () => {
    const answer = await second?.call("POST", "/events", event, options);
    return answer?.status === 202 || undefined;
  });
  for (const id of ids) expect(await second?.ended(id, 60_000)).toMatchObject({ status: "completed", output: "went" });
});
