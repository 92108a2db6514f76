import { beforeAll, describe, expect, inject, it } from "vitest";
import { call, get, patch, post } from "#e2e/support/api-client.ts";
import { createFlow, execute, minimalFlow, readExecution, type TestFlow, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";
import { secondWorkspace } from "#e2e/support/second-workspace.ts";

const { dataDir } = inject("server");

describe.skipIf(dataDir === undefined)("another workspace's data", () => {
  let key: string;
  let flow: TestFlow;
  let executionId: string;
  beforeAll(async () => {
    key = await secondWorkspace(dataDir ?? "");
    flow = await createFlow({ name: "Theirs", tags: ["theirs"], nodes: [transform("t", "1")] });
    executionId = (await execute(flow.id, { mine: true })).executionId;
  });

  it.each(["cancel", "retry", "delete"])("is left alone by a bulk %s that names it", async (action) => {
    const answer = await post(`/executions/bulk-${action}`, { executionIds: [executionId] }, { key });
    expect(answer.data).toEqual({ matched: 0, done: 0, remaining: 0 });
    expect((await readExecution(executionId)).status).toBe("completed");
  });

  it.each<[string, string, unknown]>([
    ["GET", "/flows/:flow", undefined],
    ["PATCH", "/flows/:flow", { name: "Taken" }],
    ["DELETE", "/flows/:flow?deleteExecutions=true", undefined],
    ["POST", "/flows/:flow/execute", {}],
    ["GET", "/executions/:execution", undefined],
    ["GET", "/executions/:execution/logs", undefined],
    ["POST", "/executions/:execution/cancel", {}],
    ["POST", "/executions/:execution/retry", {}],
    ["DELETE", "/executions/:execution", undefined],
  ])("is not found by %s %s, as if it were not there", async (method, path, body) => {
    const at = (flowId: string, id: string) => path.replace(":flow", flowId).replace(":execution", id);
    const theirs = await call(method, at(flow.id, executionId), body, { key });
    expectRefusal(theirs, 404, "NOT_FOUND");
    const none = await call(method, at("flow_01hzzzzzzzzzzzzzzzzzzzzzzz", "exec_01hzzzzzzzzzzzzzzzzzzzzzzz"), body, {
      key,
    });
    expect(theirs.body).toEqual(none.body);
    expect((await get<TestFlow>(`/flows/${flow.id}`)).data.name).toBe("Theirs");
    expect((await readExecution(executionId)).status).toBe("completed");
  });

  // Proves authentication.ids-in-bodies
  it("is in no list, whatever the query", async () => {
    for (const path of [
      "/flows",
      "/flows?tag=theirs",
      "/flows?search=Theirs",
      "/executions",
      `/executions?flowId=${flow.id}`,
    ]) {
      const { status, data, pagination } = await get(path, { key });
      expect([status, data, pagination.total]).toEqual([200, [], 0]);
    }
  });

  it("works there as it does here, side by side", async () => {
    const own = await post<TestFlow>("/flows", { ...minimalFlow, name: "Ours" }, { key });
    expect(own.status).toBe(201);
    expect((await get<TestFlow[]>("/flows", { key })).data.map(({ name }) => name)).toEqual(["Ours"]);
    expectRefusal(await patch(`/flows/${own.data.id}`, { name: "Taken" }), 404, "NOT_FOUND");
  });
});
