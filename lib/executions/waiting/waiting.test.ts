import { beforeAll, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { ShownWait } from "#lib/contract/executions/statuses.ts";
import { waitsMax } from "#lib/contract/executions/waits.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { query } from "#lib/platform/database.ts";
import { listApprovals, listWaits } from "./list-waits.ts";
import { waitingNodesOf, waitingRunsOf, waitOfNodes } from "./waiting-for.ts";

let actor: Actor;
inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
});

const form = { title: "Pay?", fields: [{ name: "note" }], actions: [{ id: "yes" }] };
const asking = JSON.stringify({ form, timeoutLeads: false });
const calling = JSON.stringify({ form: null, timeoutLeads: false });

interface Wait {
  readonly step: string;
  readonly state?: string | null;
  readonly until?: Date;
  readonly resumedAt?: Date;
  readonly answeredBy?: string;
  readonly kind?: string;
}

let made = 0;

async function storedRun(of: Actor, status: string, waits: readonly Wait[]): Promise<string> {
  made += 1;
  const id = `exec_${String(made).padStart(26, "0")}`;
  await query(
    "a-run",
    `INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source,
       metadata, started_at, timeout_ms)
     VALUES ($1, $2, 'flow_a', 'Invoices', 1, $3, 'manual', '{"body":{}}', 'api', '{}', now(), 1)`,
    [id, of.workspaceId, status],
  );
  for (const { step, state = asking, until = null, resumedAt = null, answeredBy = null, kind = "call" } of waits) {
    await query(
      "a-wait",
      `INSERT INTO execution_wait (execution_id, step_id, kind, until, state, created_at, resumed_at, answered_by)
       VALUES ($1, $2, $3, $4, $5, now(), $6, $7)`,
      [id, step, kind, until, state, resumedAt, answeredBy],
    );
  }
  return id;
}

const past = new Date("2026-01-01T00:00:00Z");

const soon = new Date(Date.now() + 3_600_000);
const later = new Date(soon.getTime() + 60_000);

test("a run shows a wait for people before one for a call, and none that is over or early", async () => {
  const both = await storedRun(actor, "running", [{ step: "call", state: calling }, { step: "ask" }]);
  const call = await storedRun(actor, "running", [{ step: "call", state: calling }]);
  const none = await storedRun(actor, "running", [
    { step: "answered", resumedAt: past },
    { step: "late", until: past },
    { step: "early", state: null },
    { step: "time", kind: "time", until: past },
    { step: "event", kind: "event", until: past },
  ]);
  const runs = [both, call, none].map((id) => ({ id, wakeAt: soon }));
  expect(await waitingRunsOf(runs)).toEqual(
    new Map([
      [both, { waitingFor: "approval" }],
      [call, { waitingFor: "call" }],
    ]),
  );
  expect(await waitingNodesOf(both)).toEqual(
    new Map([
      ["call", { waitingFor: "call" }],
      ["ask", { waitingFor: "approval" }],
    ]),
  );
  expect(await waitingNodesOf(none)).toEqual(new Map());
  const agent = await storedRun(actor, "running", [{ step: `agent${stepSeparator}1` }]);
  expect(await waitingNodesOf(agent)).toEqual(new Map([["agent", { waitingFor: "approval" }]]));
});

test("a run that only waits for a time or an event shows it, and until when", async () => {
  const delayed = await storedRun(actor, "running", [
    { step: `loop${stepSeparator}1`, kind: "time", until: later },
    { step: "delay", kind: "time", until: soon },
  ]);
  const expecting = await storedRun(actor, "running", [
    { step: "event", kind: "event" },
    { step: "delay", kind: "time", until: soon },
  ]);
  const untilSoon = { waitingFor: "time", waitingUntil: soon.toISOString() };
  const found = await waitingRunsOf([
    { id: delayed, wakeAt: soon },
    { id: expecting, wakeAt: soon },
  ]);
  expect(found).toEqual(
    new Map<string, unknown>([
      [delayed, untilSoon],
      [expecting, { waitingFor: "event" }],
    ]),
  );
  // At work, or waiting for something else that may end earlier.
  expect(await waitingRunsOf([{ id: delayed, wakeAt: null }])).toEqual(new Map());
  expect(await waitingRunsOf([{ id: delayed, wakeAt: new Date(soon.getTime() - 60_000) }])).toEqual(new Map());
  // A loop whose item waits goes on with others.
  expect(await waitingNodesOf(delayed)).toEqual(new Map([["delay", untilSoon]]));
});

test("a run waits if each of its running nodes does, until the first of these ends", () => {
  const node = (status: "running" | "completed", wait: Partial<ShownWait> = {}) => ({
    nodeId: "a",
    nodeName: "A",
    type: "delay",
    status,
    startedAt: null,
    completedAt: null,
    duration: null,
    ...wait,
  });
  const untilSoon = { waitingFor: "time", waitingUntil: soon.toISOString() } as const;
  const event = node("running", { waitingFor: "event" });
  const far = node("running", { waitingFor: "time", waitingUntil: "2999-01-01T00:00:00.000Z" });
  expect(waitOfNodes([node("completed"), event, far, node("running", untilSoon)])).toEqual(untilSoon);
  expect(waitOfNodes([event])).toEqual({ waitingFor: "event" });
  expect(waitOfNodes([node("running"), far])).toBeUndefined();
  expect(waitOfNodes([node("completed")])).toBeUndefined();
});

test("the open waits of a run come first, with their forms; the others say who answered", async () => {
  const { by } = actor;
  const id = await storedRun(actor, "running", [
    { step: "a", resumedAt: past, answeredBy: by.id },
    { step: `b${stepSeparator}3.0` },
    { step: "c", state: calling },
    { step: "d", until: past },
  ]);
  const waits = await listWaits(actor, id);
  expect(waits.map(({ nodeId, iteration, state, hasForm }) => [nodeId, iteration, state, hasForm])).toEqual([
    ["b", "3.0", "open", true],
    ["c", null, "open", false],
    ["a", null, "answered", true],
    ["d", null, "over", true],
  ]);
  expect(waits[0]).toMatchObject({
    form: { title: "Pay?" },
    url: expect.stringContaining("/resume/"),
    answeredAt: null,
  });
  expect(waits[2]).toMatchObject({ form: null, url: null, answeredAt: past.toISOString(), answeredBy: by.id });
  const reader = { ...actor, scopes: new Set(["executions:read"] as const) };
  expect((await listWaits(reader, id)).map(({ url }) => url)).toEqual([null, null, null, null]);
  await expect(listWaits(await newActor(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an ended run has no open waits, and of thousands of waits a limited number is listed", async () => {
  const ended = await storedRun(actor, "cancelled", [{ step: "ask" }]);
  expect(await listWaits(actor, ended)).toMatchObject([{ state: "over", form: null, url: null }]);
  const large = JSON.stringify({ form: { ...form, description: "x".repeat(5_000) }, timeoutLeads: false });
  const id = await storedRun(actor, "running", []);
  await query(
    "many-waits",
    `INSERT INTO execution_wait (execution_id, step_id, kind, state, created_at)
     SELECT $1, 'ask' || $2 || n, 'call', $3, now() FROM generate_series(1, 3000) AS n`,
    [id, stepSeparator, large],
  );
  const waits = await listWaits(actor, id);
  expect(waits).toHaveLength(waitsMax);
  expect(JSON.stringify(waits).length).toBeLessThan(2_000_000);
});

test("a workspace lists its own approvals, longest wait first", async () => {
  const other = await newActor();
  const first = await storedRun(other, "running", [{ step: "ask" }, { step: "call", state: calling }]);
  const second = await storedRun(other, "pending", [{ step: `ask${stepSeparator}1` }]);
  await storedRun(other, "completed", [{ step: "ask" }]);
  const approvals = await listApprovals(other);
  expect(approvals.map(({ executionId, nodeId, iteration, title }) => [executionId, nodeId, iteration, title])).toEqual(
    [
      [first, "ask", null, "Pay?"],
      [second, "ask", "1", "Pay?"],
    ],
  );
  expect(await listApprovals(other, 1)).toHaveLength(1);
  expect(await listApprovals(await newActor())).toEqual([]);
});

test("a form with text that PostgreSQL cannot hold does not keep the others from the list", async () => {
  const own = await newActor();
  const ask = (title: string, description: string) =>
    storedRun(own, "running", [
      { step: "ask", state: JSON.stringify({ form: { ...form, title, description }, timeoutLeads: false }) },
    ]);
  await ask('Pay "A"?', "a\u0000b");
  await ask("\ud800?", "c");
  await ask("Pay B?", "d");
  expect((await listApprovals(own)).map(({ title }) => title).toSorted()).toEqual(['Pay "A"?', "Pay B?", "\ud800?"]);
});
