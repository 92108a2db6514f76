import { describe, expect, it } from "vitest";
import { del, get, patch, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import {
  createFlow,
  ended,
  execute,
  node,
  readExecution,
  start,
  type TestFlow,
  type TestRun,
  transform,
} from "#e2e/support/flows.ts";

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const counted = <T>(values: readonly T[]) =>
  Object.fromEntries([...new Set(values)].map((value) => [value, values.filter((other) => other === value).length]));

describe("50 changes of one flow at once", () => {
  it("are all made, one after the other: each has its own version and a later updatedAt", async () => {
    const flow = await createFlow();
    const answers = await times(50, (n) => patch<TestFlow>(`/flows/${flow.id}`, { variables: { n } }));
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 50 });
    const versions = answers.map(({ headers }) => Number(headers.get("etag")?.replaceAll('"', "")));
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
    const byVersion = answers.map(({ data }, index) => [versions[index] as number, data.updatedAt] as const);
    const inOrder = byVersion.toSorted(([a], [b]) => a - b).map(([, updatedAt]) => updatedAt);
    expect(new Set(inOrder).size).toBe(50);
    expect(inOrder).toEqual(inOrder.toSorted());
    const last = answers[versions.indexOf(51)];
    const { data } = await get<TestFlow>(`/flows/${flow.id}`);
    expect(data).toMatchObject({ version: 51, updatedAt: inOrder.at(-1), variables: last?.data.variables });
  });

  // Proves flows.update.two-at-once
  it("with the same If-Match have one winner", async () => {
    const flow = await createFlow();
    const options = { headers: { "if-match": '"1"' } };
    const answers = await times(20, (n) => patch<TestFlow>(`/flows/${flow.id}`, { variables: { n } }, options));
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 19 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await get<TestFlow>(`/flows/${flow.id}`)).data).toMatchObject({
      version: 2,
      variables: winner?.data.variables,
    });
  });

  it("that affect different fields lose nothing", async () => {
    const flow = await createFlow();
    const fields = {
      name: "N",
      description: "D",
      tags: ["t"],
      status: "inactive",
      variables: { v: 1 },
      settings: { timeoutMs: 7 },
    };
    await Promise.all(Object.entries(fields).map(([field, value]) => patch(`/flows/${flow.id}`, { [field]: value })));
    expect((await get<TestFlow>(`/flows/${flow.id}`)).data).toMatchObject(fields);
  });
});

describe("one run with several attempts to end it", () => {
  const waiting = async () => {
    const sink = await countingServer(() => "hold");
    const flow = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
    const id = await start(flow.id);
    await sink.until(1);
    return { id, sink };
  };

  it("of 20 cancellations one is answered with 200, and its reason stays", async () => {
    const { id } = await waiting();
    const answers = await times(20, (n) => post<{ reason: string }>(`/executions/${id}/cancel`, { reason: `${n}` }));
    expect(counted(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: 19 });
    const reasons = answers.flatMap(({ status, data }) => (status === 200 ? [data.reason] : []));
    expect((await readExecution(id)).reason).toBe(reasons[0]);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.every(({ error }) => error.details?.currentStatus === "cancelled")).toBe(true);
  });

  it("a cancellation that races the end reports the run's actual state", async () => {
    const outcomes = await times(20, async () => {
      const { id, sink } = await waiting();
      const cancelling = post(`/executions/${id}/cancel`);
      sink.release();
      const answer = await cancelling;
      const { status } = await ended(id);
      return answer.status === 200 ? [status, "cancelled"] : [status, answer.error.details?.currentStatus];
    });
    for (const [status, expected] of outcomes) expect(status).toBe(expected);
  });

  it("of 10 deletions of one resource one is answered with 204", async () => {
    const flow = await createFlow();
    const { executionId } = await execute(flow.id);
    const executions = await times(10, () => del(`/executions/${executionId}`));
    expect(counted(executions.map(({ status }) => status))).toEqual({ 204: 1, 404: 9 });
    const flows = await times(10, () => del(`/flows/${flow.id}`));
    expect(counted(flows.map(({ status }) => status))).toEqual({ 204: 1, 404: 9 });
  });
});

describe("many runs at once", () => {
  it("each keep to their own data, and all are counted", async () => {
    const flow = await createFlow({ nodes: [transform("t", "[$trigger.body.n, $execution.id]")] });
    const runs = await times(100, async (n) => ({ n, ran: await execute(flow.id, { n }) }));
    for (const { n, ran } of runs) expect(ran.output).toEqual([n, ran.executionId]);
    expect(new Set(runs.map(({ ran }) => ran.executionId)).size).toBe(100);
    expect((await get<{ executionCount: number }>(`/flows/${flow.id}`)).data.executionCount).toBe(100);
  });

  it("in the background all end", async () => {
    const flow = await createFlow({ nodes: [transform("t", "$trigger.body.n * 2")] });
    const outputs = await times(60, async (n) => (await ended(await start(flow.id, { n }))).output);
    expect(outputs).toEqual(Array.from({ length: 60 }, (_, n) => n * 2));
  });

  it("of a flow that changes meanwhile each run one complete version", async () => {
    const nodes = (mark: number) => [transform("a", `${mark}`), transform("b", `[$nodes['a'].output, ${mark}]`)];
    const edges = [{ source: "a", target: "b" }];
    const flow = await createFlow({ nodes: nodes(0), edges });
    const [runs] = await Promise.all([
      times(40, () => post<TestRun>(`/flows/${flow.id}/execute`, { async: false })),
      times(10, (n) => patch(`/flows/${flow.id}`, { nodes: nodes(n + 1) })),
    ]);
    for (const { data } of runs) {
      const [first, second] = data.output as number[];
      expect(first).toBe(second);
    }
  });
});
