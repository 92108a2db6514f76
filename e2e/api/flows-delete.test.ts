import { describe, expect, it } from "vitest";
import { del, get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, ended, execute, node, readExecution, start } from "#e2e/support/flows.ts";
import { expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const status = async (path: string) => (await get(path)).status;

describe("a deleted flow", () => {
  // Proves conventions.empty-204, flows.delete.gone, flows.delete.missing
  it("is answered with 204 without a body, and is gone", async () => {
    const { id, trigger } = await createFlow();
    const answer = await del(`/flows/${id}`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expectRefusal(await get(`/flows/${id}`), 404, "NOT_FOUND");
    expectRefusal(await del(`/flows/${id}`), 404, "NOT_FOUND");
    expectRefusal(await post(`/flows/${id}/execute`, {}), 404, "NOT_FOUND");
    expect((await fetch(trigger.config.url, { method: "POST" })).status).toBe(404);
  });

  // Proves executions.retry.flow-gone, flows.delete.keeps-executions
  it("leaves its executions readable", async () => {
    const { id, name } = await createFlow({ nodes: [node("a", "log", { message: "hi" })] });
    const { executionId } = await execute(id, { x: 1 });
    await del(`/flows/${id}`);
    expect(await readExecution(executionId, "?includeNodeOutputs=true&includeLogs=true")).toMatchObject({
      flowId: id,
      flowName: name,
      output: { x: 1 },
      nodes: [{ nodeId: "a", status: "completed" }],
      logs: expect.arrayContaining([expect.objectContaining({ message: "hi" })]),
    });
    expectRefusal(await post(`/executions/${executionId}/retry`, {}), 404, "NOT_FOUND");
  });

  // Proves flows.delete.deletes-executions
  it("takes its executions along with deleteExecutions=true, and no others", async () => {
    const [mine, other] = [await createFlow(), await createFlow()];
    const own = await Promise.all([execute(mine.id), execute(mine.id)]);
    const remaining = await execute(other.id);
    expect((await del(`/flows/${mine.id}?deleteExecutions=true`)).status).toBe(204);
    for (const { executionId } of own) expect(await status(`/executions/${executionId}`)).toBe(404);
    expect((await get<unknown[]>(`/executions?flowId=${mine.id}`)).data).toEqual([]);
    expect(await status(`/executions/${remaining.executionId}`)).toBe(200);
  });

  // Proves flows.delete.running
  it.each(["false", "true"])("stops what is running (deleteExecutions=%s)", async (flag) => {
    const sink = await countingServer(() => "hold");
    const { id } = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
    const executionId = await start(id);
    await sink.until(1);
    expect((await del(`/flows/${id}?deleteExecutions=${flag}`)).status).toBe(204);
    await eventually("the open request is given up", () => (sink.aborted() === 1 ? true : undefined));
    if (flag === "true") expect(await status(`/executions/${executionId}`)).toBe(404);
    else expect((await ended(executionId)).status).toBe("cancelled");
  });
});

// Proves flows.delete.if-match
it("409 with If-Match for another version, and nothing is deleted", async () => {
  const { id } = await createFlow();
  const headers = { "if-match": '"2"' };
  expectRefusal(await del(`/flows/${id}`, { headers }), 409, "CONFLICT");
  expect(await status(`/flows/${id}`)).toBe(200);
  expect((await del(`/flows/${id}`, { headers: { "if-match": '"1"' } })).status).toBe(204);
  expectRefusal(await del(`/flows/${id}`, { headers }), 404, "NOT_FOUND");
});

describe("400 for a flag that is neither true nor false, and nothing is deleted", () => {
  // Proves flows.delete.flag
  it.each(["yes", "1", "TRUE", ""])("deleteExecutions=%s", async (flag) => {
    const { id } = await createFlow();
    expectInvalid(await del(`/flows/${id}?deleteExecutions=${flag}`), "deleteExecutions");
    expect(await status(`/flows/${id}`)).toBe(200);
  });
});
