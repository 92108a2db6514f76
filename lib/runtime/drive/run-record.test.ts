import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { EventName } from "#lib/contract/event-names.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { newExecution, type StartedFlow, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { finished, nodeRecord, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { flowFigures } from "#lib/flows/flow-figures.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { database, query } from "#lib/platform/database.ts";
import { subscribe } from "#lib/webhooks/testing/workspace.ts";
import { LateRecord } from "./run-record.ts";

let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor, [{ id: "a", type: "log", name: "a", position: { x: 0, y: 0 }, config: {} }]);
});

const newRun = (of: StartedFlow = flow) =>
  newExecution(of, {
    triggerType: "webhook",
    trigger: triggerTextOf({ body: { n: 1 }, headers: {}, query: {}, method: "POST" }),
    source: "webhook",
    ip: null,
    userAgent: null,
    leaseOwner: "me",
  });
const log = {
  timestamp: "2026-01-31T10:00:00.000Z",
  level: "info",
  nodeId: "a",
  message: "hello",
  data: '{"n":1}',
} as const;
const endOf = (id: string) => finished(id, 1, { nodes: [nodeRecord("a", { output: '"x\\u0000"' })], logs: [log] });
const rowOf = (id: string) => database().execution.findUniqueOrThrow({ where: { id } });
const rowState = async (id: string) =>
  (await query<{ row: string }>("row-state", "SELECT xmin::text AS row FROM flow WHERE id = $1", [id]))[0]?.row ?? "";
const everything = { includeLogs: true, includeNodeOutputs: true };

describe("a run that has ended before its record was written", () => {
  test("is one row, and counted", async () => {
    const before = (await flowFigures(actor.workspaceId, [flow.id])).get(flow.id)?.executionCount ?? 0;
    const execution = newRun();
    expect(await new LateRecord(execution).end(endOf(execution.id))).toBe(true);
    expect(await database().nodeExecution.count({ where: { executionId: execution.id } })).toBe(0);
    expect((await rowOf(execution.id)).journal).not.toBeNull();
    expect((await flowFigures(actor.workspaceId, [flow.id])).get(flow.id)?.executionCount).toBe(before + 1);
  });

  test("is unfolded when first opened, once, even by ten readers at the same time", async () => {
    const execution = newRun();
    await new LateRecord(execution).end(endOf(execution.id));
    const reads = await Promise.all(Array.from({ length: 10 }, () => readExecution(actor, execution.id, everything)));
    for (const { nodes, logs } of reads) {
      expect(nodes).toMatchObject([{ nodeId: "a", status: "completed", output: "x\u0000" }]);
      const entries = logs?.filter(({ nodeId }) => nodeId !== null);
      expect(entries).toMatchObject([{ level: "info", nodeId: "a", message: "hello", data: { n: 1 } }]);
    }
    expect((await rowOf(execution.id)).journal).toBeNull();
    expect(await database().logEntry.count({ where: { executionId: execution.id } })).toBe(1);
  });

  test("stores a long output that a node passes on once, and shows it in both places", async () => {
    const execution = newRun();
    const output = JSON.stringify("long".repeat(1_000));
    const end = finished(execution.id, 1, { output, nodes: [nodeRecord("a", { output })] });
    await new LateRecord(execution).end(end);
    expect((await rowOf(execution.id)).journal).not.toContain("longlong");
    const read = await readExecution(actor, execution.id, everything);
    expect([read.output, read.nodes[0]?.output]).toEqual([JSON.parse(output), JSON.parse(output)]);
  });

  test("is not stored if its flow has changed since it was cached, and is not counted", async () => {
    const changing = await storedFlow(actor);
    const row = await rowState(changing.id);
    await updateFlow(actor, changing.id, { name: "Changed" }, null);
    const execution = newRun({ ...changing, row });
    await expect(new LateRecord(execution).end(endOf(execution.id))).rejects.toMatchObject({ name: "StaleFlow" });
    expect(await database().execution.count({ where: { flowId: changing.id } })).toBe(0);
    expect((await flowFigures(actor.workspaceId, [changing.id])).get(changing.id)?.executionCount).toBe(0);
  });

  test("sends its start and its end to subscribers, in this order", async () => {
    const subscriber = await newActor();
    const events: EventName[] = ["execution.started", "execution.completed"];
    await subscribe(subscriber, events);
    const subscribed = await storedFlow(subscriber);
    const execution = newRun(subscribed);
    expect(await new LateRecord(execution).end(endOf(execution.id))).toBe(true);
    const rows = await database().webhookDelivery.findMany({
      where: { executionId: execution.id },
      orderBy: { sequence: "asc" },
    });
    expect(rows.map(({ event }) => event)).toEqual(events);
  });
});

describe("a run in progress", () => {
  test("is soon on disk, and its end updates that record", async () => {
    const execution = newRun();
    const record = new LateRecord(execution);
    await expect.poll(() => database().execution.count({ where: { id: execution.id, status: "running" } })).toBe(1);
    expect(await record.end(endOf(execution.id))).toBe(true);
    expect(await rowOf(execution.id)).toMatchObject({ status: "completed", journal: null });
  });

  test("that was cancelled in the meantime is not ended again", async () => {
    const execution = newRun();
    const record = new LateRecord(execution);
    await record.stored();
    await query("cancel", "UPDATE execution SET status = 'cancelled', completed_at = now() WHERE id = $1", [
      execution.id,
    ]);
    expect(await record.end(endOf(execution.id))).toBe(false);
  });

  test("is stored once, even if it ends while its record is being written", async () => {
    const execution = newRun();
    const record = new LateRecord(execution);
    const [, won] = await Promise.all([record.stored(), record.end(endOf(execution.id))]);
    expect(won).toBe(true);
    expect(await rowOf(execution.id)).toMatchObject({ status: "completed" });
  });
});
