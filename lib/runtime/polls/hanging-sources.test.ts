// Sources that hang, and answers of the largest size, leave room for the polls of other workspaces.
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { pollState } from "#lib/flows/polls/stored-poll.ts";
import { queryPlanned } from "#lib/platform/database.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { pollDue, startPolls } from "./polls.ts";

let server: Server;
let source: string;
let hanging: ServerResponse[] = [];
let started: ReturnType<typeof startPolls> | undefined;

inOwnDatabase();
beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  const large = JSON.stringify([{ id: 1, text: "x".repeat(5_000_000) }]);
  server = createServer(({ url }, response) => {
    if (url === "/hang") hanging.push(response);
    else response.writeHead(200, { "content-type": "application/json" }).end(url === "/large" ? large : '[{"id":1}]');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  source = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  await queryPlanned("DELETE FROM flow_poll", []);
});
afterEach(async () => {
  release();
  await started?.stop();
});
afterAll(async () => {
  await outsideWorld().outbound.close();
  server?.close();
});

function release(): void {
  for (const response of hanging) response.destroy();
  hanging = [];
}

/** Flows of a new workspace that poll this path. */
async function polling(path: string, flows = 1): Promise<string[]> {
  const actor = await newActor();
  const config = { everyMs: 30_000, request: { url: source + path }, items: "$response.body", key: "$item.id" };
  const trigger = { type: "poll" as const, config: { ...config, fromNow: false } };
  const ids: string[] = [];
  for (let flow = 0; flow < flows; flow += 1) {
    const given = { name: "Polling", status: "active" as const, tags: [], variables: {}, nodes: [], edges: [] };
    ids.push((await createFlow(actor, { ...given, trigger })).id);
  }
  return ids;
}
const startedBy = async (flowId = "") =>
  (await queryPlanned("SELECT FROM execution WHERE flow_id = $1", [flowId])).length;

describe("sources that hang", () => {
  test("in two workspaces do not delay a third one's poll", async () => {
    await polling("/hang", 2);
    await polling("/hang", 2);
    started = startPolls();
    await expect.poll(() => hanging.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
    const [other] = await polling("/");
    await expect.poll(() => startedBy(other), { timeout: 5_000 }).toBe(1);
    expect(hanging).toHaveLength(4);
  });

  test("have slots of their own once they have failed, in however many workspaces", async () => {
    for (let workspace = 0; workspace < 8; workspace += 1) await polling("/hang", 2);
    await queryPlanned("UPDATE flow_poll SET failures = 1", []);
    started = startPolls();
    await expect.poll(() => hanging.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
    const [other] = await polling("/");
    await expect.poll(() => startedBy(other), { timeout: 5_000 }).toBe(1);
    expect(hanging).toHaveLength(6);
  });

  test("do not delay a healthy source of their own workspace once they have failed", async () => {
    const [, , healthy = ""] = await polling("/hang", 3);
    const text = "UPDATE flow_poll SET failures = 1, next_at = now() - interval '1 minute' WHERE flow_id <> $1";
    await queryPlanned(text, [healthy]);
    started = startPolls();
    await expect.poll(() => hanging.length, { timeout: 5_000 }).toBe(3);
    expect(await pollState(healthy)).toMatchObject({ failures: 0 });
  });

  test("do not delay the third poll of another workspace, which waits for one of its first two", async () => {
    await polling("/hang");
    const ids = await polling("/", 3);
    const done = pollDue();
    for (const id of ids) await expect.poll(() => startedBy(id)).toBe(1);
    expect(hanging).toHaveLength(1);
    release();
    expect(await done).toBe(4);
  });
});

test("twelve answers of the largest size at once each start their run", async () => {
  const ids = (await Promise.all(Array.from({ length: 12 }, () => polling("/large")))).flat();
  expect(await pollDue()).toBe(12);
  for (const id of ids) expect(await pollState(id)).toMatchObject({ items: 1, error: null });
  expect(await Promise.all(ids.map(startedBy))).toEqual(ids.map(() => 1));
});
