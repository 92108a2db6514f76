import { expect, it } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, edge, ended, execute, node, readExecution, statuses, transform } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

interface Change {
  readonly at: string;
  readonly nodeId: string;
  readonly iteration: string | null;
  readonly from: string;
  readonly to: string;
  readonly attempt: number;
  readonly because: readonly { readonly nodeId: string | null; readonly value: unknown }[];
}

const timelineOf = async (id: string) => (await get<Change[]>(`/executions/${id}/timeline`)).data;

it("a timeline ends in the states of the run, and says why a branch was not taken", async () => {
  const nodes = [
    node("check", "if-else", { condition: "$trigger.body.ok" }),
    transform("yes", "1"),
    transform("no", "2"),
  ];
  const flow = await createFlow({ nodes, edges: [edge("check", "yes", "true"), edge("check", "no", "false")] });
  const { executionId } = await execute(flow.id, { ok: false });
  const changes = await timelineOf(executionId);
  expect(Object.fromEntries(changes.map(({ nodeId, to }) => [nodeId, to]))).toEqual(
    statuses(await readExecution(executionId)),
  );
  expect(changes.map(({ at }) => at)).toEqual(changes.map(({ at }) => at).toSorted());
  const decision = { nodeId: "check", handle: "false", expression: "$trigger.body.ok", value: false };
  expect(changes.find(({ to }) => to === "skipped")?.because).toEqual([decision]);
  expect((await get(`/executions/${executionId}/nodes/yes`)).data).toMatchObject({ effect: "none", why: [decision] });
});

it("a wait shows who woke it, and a request how often it was tried", async () => {
  const sink = await countingServer((index) => (index === 0 ? { status: 503 } : { body: {} }));
  const call = node("call", "http-request", { url: sink.url, retry: { maxRetries: 2, retryDelay: 0 } });
  const flow = await createFlow({ nodes: [call, node("wait", "delay", { ms: 1 })], edges: [edge("call", "wait")] });
  const { data } = await post<{ executionId: string }>(`/flows/${flow.id}/execute`, {});
  await ended(data.executionId);
  const changes = await timelineOf(data.executionId);
  expect(changes.find(({ nodeId, to }) => nodeId === "call" && to === "completed")).toMatchObject({ attempt: 2 });
  expect(changes.find(({ nodeId, to }) => nodeId === "wait" && to === "completed")?.because).toMatchObject([
    { nodeId: "wait", value: { waitedFor: "time", wokenBy: "time" } },
  ]);
});

it("the retry of a failed run sends its key again, as its plan says", async () => {
  const sink = await countingServer();
  const pay = node("pay", "http-request", { method: "POST", url: sink.url, body: "{{ $trigger.body }}" });
  const flow = await createFlow({
    nodes: [pay, transform("breaks", "$trigger.body.no.x")],
    edges: [edge("pay", "breaks")],
  });
  const { executionId } = await execute(flow.id, { n: 1 });
  const plan = await get<{ nodes: { nodeId: string; replay: object }[] }>(`/executions/${executionId}/retry-plan`);
  const key = `${executionId}.pay`;
  expect(plan.data.nodes.find(({ nodeId }) => nodeId === "pay")).toMatchObject({ effect: "write", replay: { key } });
  for (const body of [{}, { idempotency: "new" }]) {
    const { data } = await post<{ executionId: string }>(`/executions/${executionId}/retry`, body);
    await ended(data.executionId);
  }
  const [first, same, other] = sink.received.map(({ headers }) => headers["idempotency-key"]);
  expect([first, same]).toEqual([key, key]);
  expect(other).not.toBe(key);
  expectInvalid(await post(`/executions/${executionId}/retry`, { idempotency: "maybe" }), "idempotency");
});

it("404 for a missing execution", async () => {
  expectRefusal(await get("/executions/exec_nothing/timeline"), 404, "NOT_FOUND");
});
