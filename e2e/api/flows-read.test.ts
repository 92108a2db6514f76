import { describe, expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, edge, execute, node, type TestFlow, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";

interface ReadFlow extends TestFlow {
  readonly lastExecutedAt: string | null;
  readonly executionCount: number;
  readonly averageExecutionTime: number | null;
}

const read = (id: string) => get<ReadFlow>(`/flows/${id}`);

describe("a single flow", () => {
  // Proves flow.last-executed-at, flows.read.whole
  it("is what was created, with its runs' figures", async () => {
    const created = await createFlow({
      variables: { region: "eu" },
      nodes: [node("a", "log"), node("b", "log")],
      edges: [edge("a", "b")],
    });
    const { status, data } = await read(created.id);
    expect(status).toBe(200);
    expect(data).toEqual({
      ...created,
      lastExecutedAt: null,
      executionCount: 0,
      averageExecutionTime: null,
      draft: null,
    });
  });

  // Proves flows.read.etag
  it("has its version as a strong ETag", async () => {
    const { id } = await createFlow();
    expect((await read(id)).headers.get("etag")).toBe('"1"');
  });

  // Proves flow.average-execution-time
  it("averages completed runs only", async () => {
    const { id } = await createFlow({ nodes: [transform("t", "$trigger.body.a.b")] });
    await execute(id);
    expect((await read(id)).data).toMatchObject({ executionCount: 1, averageExecutionTime: null });
    const { duration, startedAt } = await execute(id, { a: { b: 1 } });
    expect((await read(id)).data).toMatchObject({
      executionCount: 2,
      averageExecutionTime: duration,
      lastExecutedAt: startedAt,
    });
  });
});

describe("404 for ids of no flow", () => {
  // Proves flows.read.missing
  it.each([
    "x",
    "flow_01hzzzzzzzzzzzzzzzzzzzzzzz",
    "flow_",
    "FLOW_01hzzzzzzzzzzzzzzzzzzzzzzz",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "%F0%9F%98%80",
    "1'%20OR%20'1'='1",
    "__proto__",
  ])("%s", async (id) => {
    expectRefusal(await read(id), 404, "NOT_FOUND");
  });

  it("5000 characters", async () => {
    expectRefusal(await read("x".repeat(5_000)), 404, "NOT_FOUND");
  });

  // Proves flows.read.missing
  it("an execution's id", async () => {
    const { executionId } = await execute((await createFlow()).id);
    expectRefusal(await read(executionId), 404, "NOT_FOUND");
  });

  it("percent signs that encode nothing", async () => {
    for (const id of ["%ZZ", "%", "%C3%28"]) expectRefusal(await read(id), 404, "NOT_FOUND");
  });
});
