import { beforeAll, describe, expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, edge, execute, type LogEntry, node, readExecution, run, transform } from "#e2e/support/flows.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

let executionId: string;
const logs = async (query = "") => (await get<LogEntry[]>(`/executions/${executionId}/logs${query}`)).data;
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
  it("has its entries in the order in which they were written", async () => {
    expect((await messages()).slice(0, 5)).toEqual(["one 7", "two", 'three {"a":1}', "four", "five"]);
  });

  it("tells when, how serious, and which node", async () => {
    const timestamp = expect.stringMatching(/\.\d{3}Z$/);
    expect((await logs()).slice(0, 2)).toMatchObject([
      { timestamp, level: "info", nodeId: "first", message: "one 7", data: { list: [7] } },
      { timestamp, level: "warning", nodeId: "second", message: "two" },
    ]);
    expect((await logs())[1]).not.toHaveProperty("data");
  });

  it("has the failure of a node as an error", async () => {
    const [error] = (await logs("?level=error&nodeId=fails")) ?? [];
    expect(error?.message).toContain("$trigger.body.a.b");
  });

  it.each([
    ["?level=info", ["one 7", 'three {"a":1}']],
    ["?level=warning", ["two", "four"]],
    ["?nodeId=third", ['three {"a":1}', "four", "five"]],
    ["?nodeId=third&level=error", ["five"]],
    ["?nodeId=nobody", []],
  ])("%s", async (query, expected) => {
    expect(await messages(query)).toEqual(expected);
  });

  it("warnings count among the run's warnings", async () => {
    const { warnings, warningCount } = await readExecution(executionId);
    expect(warningCount).toBe(2);
    expect(warnings).toMatchObject([
      { nodeId: "second", message: "two" },
      { nodeId: "third", message: "four" },
    ]);
  });

  it("is empty when nothing was said", async () => {
    const { executionId: quiet } = await execute((await createFlow()).id);
    expect((await get(`/executions/${quiet}/logs`)).data).toEqual([]);
  });

  it("400 for a level that is none", async () => {
    expectInvalid(await get(`/executions/${executionId}/logs?level=debug`), "level");
    expectInvalid(await get(`/executions/${executionId}/logs?nodeId=%00`), "nodeId");
  });
});
