import { beforeAll, describe, expect, it } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { createFlow, edge, execute, type LogEntry, node, readExecution, run, transform } from "#e2e/support/flows.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

let executionId: string;
const allLogs = async (id = executionId, query = "") => (await get<LogEntry[]>(`/executions/${id}/logs${query}`)).data;
/** What nodes wrote. */
const logs = async (query = "") => (await allLogs(executionId, query)).filter(({ nodeId }) => nodeId !== null);
const messages = async (query = "") => (await logs(query)).map(({ message }) => message);

beforeAll(async () => {
  const nodes = [
    node("first", "log", { message: "one {{ $trigger.body.n }}", data: { list: ["{{ $trigger.body.n }}"] } }),
    node("second", "log", { message: "two", level: "warning" }),
    node("third", "code", {
      code: "console.log('three', {a: 1}); console.warn('four'); console.error('five'); return 1;",
    }),
    transform("fails", "$trigger.body.a.b"),
  ];
  const edges = [edge("first", "second"), edge("second", "third"), edge("third", "fails")];
  executionId = (await run(nodes, edges, { n: 7 })).executionId;
});

describe("the log of an execution", () => {
  // Proves executions.logs.order
  it("has its entries in the order they were written", async () => {
    expect((await messages()).slice(0, 5)).toEqual(["one 7", "two", 'three {"a":1}', "four", "five"]);
  });

  // Proves executions.logs.entry
  it("has the time, level and node of each", async () => {
    const timestamp = expect.stringMatching(/\.\d{3}Z$/);
    expect((await logs()).slice(0, 2)).toMatchObject([
      { timestamp, level: "info", nodeId: "first", message: "one 7", data: { list: [7] } },
      { timestamp, level: "warning", nodeId: "second", message: "two" },
    ]);
    expect((await logs())[1]).not.toHaveProperty("data");
  });

  // Proves executions.logs.levels
  it("has a node's failure as an error", async () => {
    const [error] = (await logs("?level=error&nodeId=fails")) ?? [];
    expect(error?.message).toContain("$trigger.body.a.b");
  });

  // Proves executions.logs.filters
  it.each([
    ["?level=info", ["one 7", 'three {"a":1}']],
    ["?level=warning", ["two", "four"]],
    ["?nodeId=third", ['three {"a":1}', "four", "five"]],
    ["?nodeId=third&level=error", ["five"]],
    ["?nodeId=nobody", []],
  ])("%s", async (query, expected) => {
    expect(await messages(query)).toEqual(expected);
  });

  // Proves executions.read.warnings
  it("counts warnings among the run's", async () => {
    const { warnings, warningCount } = await readExecution(executionId);
    expect(warningCount).toBe(2);
    expect(warnings).toMatchObject([
      { nodeId: "second", message: "two" },
      { nodeId: "third", message: "four" },
    ]);
  });

  it("has the run's own entries first and last, whatever nodes log", async () => {
    const { executionId: quiet } = await execute((await createFlow()).id);
    const timestamp = expect.stringMatching(/\.\d{3}Z$/);
    const [started, ended] = await allLogs(quiet);
    expect(started).toMatchObject({ timestamp, nodeId: null, level: "info", message: "Started by the API" });
    expect(ended).toMatchObject({
      timestamp,
      nodeId: null,
      level: "info",
      message: expect.stringMatching(/^Completed in /),
    });
    expect(ended?.data).toEqual({ event: "ended", status: "completed", duration: expect.any(Number) });
    const all = await allLogs();
    expect([all.at(0)?.id, all.at(-1)?.id]).toEqual(["started", "ended"]);
    expect(all.at(-1)).toMatchObject({ level: "info", message: expect.stringMatching(/^Failed after .*\$trigger/) });
    expect(await allLogs(executionId, "?level=error&nodeId=third")).toHaveLength(1);
  });

  it("says who cancelled, and names the retries", async () => {
    const { id } = await createFlow({ nodes: [node("hold", "wait", {})] });
    const { data: started } = await post<{ executionId: string }>(`/flows/${id}/execute`, { async: true });
    const held = started.executionId;
    await expect
      .poll(() => allLogs(held))
      .toContainEqual(expect.objectContaining({ nodeId: null, message: 'The node "hold" waits for a call' }));
    await post(`/executions/${held}/cancel`, { reason: "Too late" });
    const { data: retried } = await post<{ newExecutionId?: string; id?: string }>(`/executions/${held}/retry`, {});
    const logged = (await allLogs(held)).map(({ message }) => message);
    expect(logged).toContainEqual(expect.stringMatching(/^Execution cancelled by the API key ".*": Too late$/));
    expect(logged).toContainEqual(expect.stringMatching(/^Cancelled after /));
    expect(logged.at(-1)).toMatch(/^Retried as exec_/);
    const retry = logged.at(-1)?.replace("Retried as ", "") ?? "";
    expect(JSON.stringify(retried)).toContain(retry);
    expect((await allLogs(retry))[0]?.message).toBe(`Started as a retry of ${held}`);
    await post(`/executions/${retry}/cancel`, {});
  });

  // Proves executions.logs.levels
  it("400 for an unknown level", async () => {
    expectInvalid(await get(`/executions/${executionId}/logs?level=debug`), "level");
    expectInvalid(await get(`/executions/${executionId}/logs?nodeId=%00`), "nodeId");
  });
});
