import { expect, it } from "vitest";
import { del, get } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, execute, node, start } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";

// Proves executions.delete.one
it("a deleted execution is answered with 204 and is gone, with its log and its count", async () => {
  const { id } = await createFlow({ nodes: [node("note", "log")] });
  const [deleted, remaining] = [await execute(id), await execute(id)];
  const answer = await del(`/executions/${deleted.executionId}`);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  expectRefusal(await get(`/executions/${deleted.executionId}`), 404, "NOT_FOUND");
  expectRefusal(await get(`/executions/${deleted.executionId}/logs`), 404, "NOT_FOUND");
  expectRefusal(await del(`/executions/${deleted.executionId}`), 404, "NOT_FOUND");
  expect((await get<{ id: string }[]>(`/executions?flowId=${id}`)).data).toMatchObject([{ id: remaining.executionId }]);
  expect((await get<{ executionCount: number }>(`/flows/${id}`)).data.executionCount).toBe(1);
});

// Proves executions.delete.running
it("a run in progress is cancelled before it is deleted", async () => {
  const sink = await countingServer(() => "hold");
  const { id: flowId } = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
  const id = await start(flowId);
  await sink.until(1);
  expect((await del(`/executions/${id}`)).status).toBe(204);
  await eventually("the open request is given up", () => (sink.aborted() === 1 ? true : undefined));
  expectRefusal(await get(`/executions/${id}`), 404, "NOT_FOUND");
});

// Proves executions.delete.missing
it.each(["x", "exec_01hzzzzzzzzzzzzzzzzzzzzzzz", "flow_01hzzzzzzzzzzzzzzzzzzzzzzz"])("404 for %s", async (id) => {
  expectRefusal(await del(`/executions/${id}`), 404, "NOT_FOUND");
});
