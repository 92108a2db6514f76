// Which Idempotency-Keys the requests of retries carry, and what a retry's plan shows in advance.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { retryPlan } from "#lib/contract/executions/retries.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { deleteRows } from "#lib/executions/delete-executions.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import type { OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { database } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { planRetry, retryExecution } from "./start-again.ts";

let actor: Actor;
const sandbox = createSandbox({ children: 1 });
const sent: OutboundRequest[] = [];
const caller = { ip: null, userAgent: null };

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const send = async (request: OutboundRequest) => {
    sent.push(request);
    return { status: 200, headers: {}, body: Buffer.from("{}") };
  };
  singleton("outside", () => ({ sandbox, outbound: { send } }));
});
afterAll(() => sandbox.close());

const pay = (settings: JsonObject = {}) =>
  node("pay", "http-request", {
    method: "POST",
    url: "https://api.test/",
    body: { n: "{{ $trigger.body.n }}" },
    ...settings,
  });
const breaks = node("breaks", "transform", { transform: "$trigger.body.missing.x" });

/** Drives a run to its end; returns the key that `pay` sent. */
async function drive(id: string): Promise<string | undefined> {
  sent.length = 0;
  const claim = (await claimRuns(100)).find(({ run }) => run.id === id);
  if (claim === undefined) throw new Error("the run was not taken");
  await driveRun(claim.run, claim.recorded, Number.MAX_SAFE_INTEGER);
  return sent[0]?.headers["idempotency-key"];
}

async function runNodes(nodes: readonly FlowNode[]) {
  const edges = nodes.length > 1 ? [edge("pay -> breaks")] : [];
  const flow = await storedFlow(actor, nodes, edges);
  const id = await storedExecution(flow);
  return { flowId: flow.id, id, key: await drive(id) };
}

/** Leaves the record as if the process had died between the request and its outcome. */
async function forget(executionId: string): Promise<void> {
  await database().nodeExecution.updateMany({
    where: { executionId, nodeId: "pay" },
    data: { status: "running", completedAt: null, input: null, output: null },
  });
}

async function retried(id: string, body: Parameters<typeof retryExecution>[2] = {}) {
  const { executionId } = await retryExecution(actor, id, body, caller);
  return { id: executionId, key: await drive(executionId) };
}

describe("the requests of a retry", () => {
  test("carry the original's key if the original did not complete, even in retries of retries", async () => {
    const { id, key } = await runNodes([pay(), breaks]);
    expect(key).toBe(`${id}.pay`);
    const first = await retried(id);
    expect(first.key).toBe(key);
    expect((await retried(first.id)).key).toBe(key);
  });

  test("carry new keys if it completed", async () => {
    const { id } = await runNodes([pay()]);
    const retry = await retried(id);
    expect(retry.key).toBe(`${retry.id}.pay`);
  });

  test("carry the keys that the caller chooses", async () => {
    const failed = await runNodes([pay(), breaks]);
    const retry = await retried(failed.id, { idempotency: "new" });
    expect(retry.key).toBe(`${retry.id}.pay`);
    const completed = await runNodes([pay()]);
    expect((await retried(completed.id, { idempotency: "same" })).key).toBe(completed.key);
  });

  test("carry a new key if the request differs, and only the request counts", async () => {
    const { id, key, flowId } = await runNodes([pay(), breaks]);
    const changed = await retried(id, { overrideData: { n: 2 } });
    expect(changed.key).toBe(`${changed.id}.pay`);
    await updateFlow(actor, flowId, { nodes: [pay({ timeout: 5_000 }), breaks] }, null);
    expect((await retried(id)).key).toBe(key);
    await updateFlow(actor, flowId, { nodes: [pay({ url: "https://api.test/other" }), breaks] }, null);
    const elsewhere = await retried(id);
    expect(elsewhere.key).toBe(`${elsewhere.id}.pay`);
  });

  test("carry the original's key if its process died after the request and before its record", async () => {
    const { id, key, flowId } = await runNodes([pay(), breaks]);
    await forget(id);
    expect((await planRetry(actor, id, null)).nodes[0]?.replay).toMatchObject({ key });
    expect((await retried(id)).key).toBe(key);
    const changed = await retried(id, { overrideData: { n: 2 } });
    expect(changed.key).toBe(`${changed.id}.pay`);
    await updateFlow(actor, flowId, { nodes: [pay({ timeout: 5_000 }), breaks] }, null);
    const elsewhere = await retried(id);
    expect(elsewhere.key).toBe(`${elsewhere.id}.pay`);
  });

  test("carry the original's key past a retry that skipped the node", async () => {
    const { id, key } = await runNodes([pay(), breaks]);
    const between = await retried(id);
    await database().nodeExecution.updateMany({
      where: { executionId: between.id, nodeId: "pay" },
      data: { status: "skipped", startedAt: null, completedAt: null, input: null, output: null },
    });
    expect((await retried(between.id)).key).toBe(key);
  });

  test("carry their own key if the original never got to the node", async () => {
    const { id } = await runNodes([pay(), breaks]);
    await database().nodeExecution.deleteMany({ where: { executionId: id, nodeId: "pay" } });
    const retry = await retried(id);
    expect(retry.key).toBe(`${retry.id}.pay`);
  });

  test("carry the original's key even if the original sent it only after the retry was created", async () => {
    const flow = await storedFlow(actor, [pay(), breaks], [edge("pay -> breaks")]);
    const id = await storedExecution(flow);
    const { executionId } = await retryExecution(actor, id, {}, caller);
    const changed = await retryExecution(actor, id, { overrideData: { n: 2 } }, caller);
    const claims = new Map((await claimRuns(100)).map((claim) => [claim.run.id, claim]));
    const keys: (string | undefined)[] = [];
    for (const runId of [id, executionId, changed.executionId]) {
      const { run, recorded } = claims.get(runId) as NonNullable<ReturnType<typeof claims.get>>;
      sent.length = 0;
      await driveRun(run, recorded, Number.MAX_SAFE_INTEGER);
      keys.push(sent[0]?.headers["idempotency-key"]);
    }
    expect(keys).toEqual([`${id}.pay`, `${id}.pay`, `${changed.executionId}.pay`]);
  });

  test("carry the original's keys in more than 1,000 steps, if the requests are the same", async () => {
    const item = pay({ body: { n: "{{ $trigger.body.n === 2 && $item > 990 ? 0 : $item }}" } });
    const body: JsonObject = { nodes: [item] as unknown as JsonObject[], edges: [] };
    const items = "{{ Array.from({ length: 1100 }, (_, at) => at) }}";
    const loop = node("loop", "loop", { items, body, maxItems: 2_000 });
    const flow = await storedFlow(actor, [loop, breaks], [edge("loop -> breaks")]);
    const id = await storedExecution(flow);
    await drive(id);
    const keys = () => sent.map(({ headers }) => headers["idempotency-key"]).toSorted();
    const original = keys();
    expect(original).toHaveLength(1_100);
    const first = await retried(id);
    expect(keys()).toEqual(original);
    await retried(first.id);
    expect(keys()).toEqual(original);
    await retried(id, { overrideData: { n: 2 } });
    expect(keys().filter((key) => original.includes(key))).toHaveLength(991);
  });

  test("carry the keys chosen when the retry was created, whatever happens to the original", async () => {
    const { id, key } = await runNodes([pay(), breaks]);
    const { executionId } = await retryExecution(actor, id, {}, caller);
    await database().execution.update({ where: { id }, data: { status: "completed" } });
    expect(await drive(executionId)).toBe(key);
  });

  test("carry the original's key even if the original is deleted before or during the retry", async () => {
    const { id, key } = await runNodes([pay(), breaks]);
    const { executionId } = await retryExecution(actor, id, {}, caller);
    await deleteRows([id]);
    expect(await drive(executionId)).toBe(key);
    const between = await retryExecution(actor, executionId, {}, caller);
    await deleteRows([executionId]);
    expect(await drive(between.executionId)).toBe(key);
    await forget(between.executionId);
    await database().execution.update({
      where: { id: between.executionId },
      data: { status: "pending", completedAt: null, leaseOwner: null, leaseUntil: null },
    });
    expect(await drive(between.executionId)).toBe(key);
  });

  test("carry the key of a deleted original if only the flow's version differs", async () => {
    const { id, key, flowId } = await runNodes([pay(), breaks]);
    await updateFlow(actor, flowId, { nodes: [pay(), node("breaks", "transform", { transform: "1" })] }, null);
    const { executionId } = await retryExecution(actor, id, {}, caller);
    await deleteRows([id]);
    expect(await drive(executionId)).toBe(key);
  });

  test("of a config without expressions are known from its version", async () => {
    const { id, key } = await runNodes([pay({ body: { n: 1 } }), breaks]);
    expect((await retried(id)).key).toBe(key);
  });
});

describe("a retry's plan", () => {
  const planOf = async (id: string, fromNode: string | null = null, keys: "same" | "new" | null = null) =>
    Object.fromEntries(
      retryPlan
        .parse(await planRetry(actor, id, fromNode, keys))
        .nodes.map(({ nodeId, ...settings }) => [nodeId, settings]),
    );

  test("shows which effects are repeated, and with which key", async () => {
    const { id, key } = await runNodes([pay(), breaks]);
    const plan = await planOf(id);
    expect(plan.pay).toMatchObject({ effect: "write", replay: { again: true, key } });
    expect(plan.breaks).toMatchObject({ effect: "none", replay: { again: true, key: null } });
    expect((await planOf(id, null, "new")).pay).toMatchObject({ replay: { again: true, key: null } });
    expect((await planOf(id, "breaks")).pay).toMatchObject({ plan: "reused", replay: { again: false, key: null } });
    const first = await retried(id);
    expect((await planOf(first.id)).pay?.replay.key).toBe(key);
  });

  test("distinguishes reads, writes, and nodes that the original did not get to", async () => {
    const { id } = await runNodes([pay({ method: "GET" }), breaks]);
    expect((await planOf(id)).pay).toMatchObject({ effect: "read", replay: { again: true, key: null } });
    const nodes = [node("breaks", "transform", { transform: "$trigger.body.missing.x" }), pay()];
    const flow = await storedFlow(actor, nodes, [edge("breaks -> pay")]);
    const stopped = await storedExecution(flow);
    await drive(stopped);
    expect((await planOf(stopped)).pay).toMatchObject({ replay: { again: false, key: null } });
  });

  test("of a loop has the effect of its body", async () => {
    const body: JsonObject = { nodes: [{ ...pay({ body: "{{ $item }}" }) }] as unknown as JsonObject[], edges: [] };
    const flow = await storedFlow(actor, [node("loop", "loop", { items: "{{ [1, 2] }}", body })]);
    const id = await storedExecution(flow);
    await drive(id);
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toHaveLength(2);
    expect((await planOf(id)).loop).toMatchObject({ effect: "write", replay: { again: true } });
  });
});
