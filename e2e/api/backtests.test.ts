// Backtests over HTTP: of working copies, loops, waits and sub-flows, in the background, across a kill of the server.
import { describe, expect, it } from "vitest";
import { call, get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, edge, execute, node, transform } from "#e2e/support/flows.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";
import { startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";

interface Backtest {
  readonly id: string;
  readonly status: string;
  readonly of: string;
  readonly done: number;
  readonly total: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly runs: readonly {
    readonly executionId: string;
    readonly verdict: string;
    readonly first: unknown;
    readonly calls: readonly { readonly nodeId: string; readonly change: string }[];
  }[];
}

async function backtest(flowId: string, body: object = {}): Promise<Backtest> {
  const made = await post<{ backtestId: string; status: string }>(`/flows/${flowId}/backtests`, body);
  expect([made.status, made.data?.backtestId]).toEqual([202, expect.stringMatching(/^bt_/)]);
  return await eventually("the backtest ends", async () => {
    const { data } = await get<Backtest>(`/flows/${flowId}/backtests/${made.data.backtestId}`);
    return data.status === "running" ? undefined : data;
  });
}

describe("a backtest", () => {
  it("compares the working copy with past runs, and nothing reaches the outside", async () => {
    const sink = await countingServer((_, { body }) => ({ body: { twice: JSON.parse(body) * 2 } }));
    const child = await createFlow({ nodes: [transform("plus", "$trigger.body.n + 1")] });
    const loop = {
      items: "$trigger.body.items",
      body: {
        nodes: [
          node("ship", "http-request", { method: "POST", url: sink.url, body: "{{ $item }}" }),
          transform("twice", "$nodes.ship.output.body.twice"),
        ],
        edges: [edge("ship", "twice")],
      },
    };
    const nodes = (sum: string) => [
      node("each", "loop", loop),
      node("sub", "sub-flow", { flowId: child.id, data: { n: "{{ $trigger.body.items.length }}" } }),
      node("delay", "delay", { ms: 5 }),
      transform("sum", sum),
    ];
    const edges = [edge("each", "sub"), edge("sub", "delay"), edge("delay", "sum")];
    const before = "$nodes.each.output.reduce((a, b) => a + b, 0) + $nodes.sub.output.output";
    const flow = await createFlow({ nodes: nodes(before), edges });
    for (const items of [[1, 2], [], [3]]) {
      expect((await execute(flow.id, { items })).status).toBe("completed");
    }
    const calls = sink.received.length;
    expect(await backtest(flow.id)).toMatchObject({ status: "completed", of: "version", counts: { same: 3 } });
    const trigger = { type: "manual", config: {} };
    const definition = { trigger, nodes: nodes(`$trigger.body.items.length > 1 ? 0 : ${before}`), edges };
    expect((await call("PUT", `/flows/${flow.id}/draft`, { definition })).status).toBe(200);
    const report = await backtest(flow.id, { last: 10 });
    expect(report).toMatchObject({ of: "draft", done: 3, total: 3, counts: { same: 2, changed: 1 } });
    expect(report.runs[2]).toMatchObject({
      verdict: "changed",
      first: { nodeId: "sum", path: "output", before: 9, after: 0 },
    });
    const other = nodes(before).with(1, node("sub", "sub-flow", { flowId: child.id, data: { n: 7 } }));
    const unknown = await backtest(flow.id, { definition: { nodes: other, edges } });
    expect(unknown.counts).toMatchObject({ unknown: 3 });
    const id = unknown.runs[0]?.executionId ?? "";
    const comparedRun = await get<{ nodes: { nodeId: string; after: { status: string } }[] }>(
      `/flows/${flow.id}/backtests/${unknown.id}/runs/${id}`,
    );
    expect(comparedRun.data.nodes.find(({ nodeId }) => nodeId === "sum")?.after.status).toBe("unknown");
    expect(sink.received).toHaveLength(calls);
  });

  it("refuses what it cannot compare", async () => {
    const { id } = await createFlow({ nodes: [transform("t", "1")] });
    const at = `/flows/${id}/backtests`;
    for (const body of [
      { last: 0 },
      { last: 1_001 },
      { last: 1.5 },
      { executionIds: [] },
      { executionIds: ["exec_x"] },
      { executionIds: ["a\u0000b"] },
      { executionIds: ["exec_x"], last: 3 },
      { status: "running" },
      { since: "yesterday" },
      { version: 1, definition: { nodes: [] } },
      { definition: { nodes: [transform("t", "1")], edges: [edge("t", "t")] } },
    ]) {
      expectRefusal(await post(at, body), 400, "VALIDATION_ERROR");
    }
    expectRefusal(await post(at, { version: 99 }), 404, "NOT_FOUND");
    expectRefusal(await get(`${at}/bt_x`), 404, "NOT_FOUND");
    expect((await post<{ status: string }>(at, {})).data).toMatchObject({ status: "completed", total: 0 });
  });

  it("of a killed server continues after the next start", async () => {
    const dataDir = dataDirectory();
    const server = await startServer({ dataDir });
    const before = new ServerClient(server);
    const busy = "let n = 0; for (let i = 0; i < 300000; i += 1) n += i % 7; return n;";
    const flowId = await before.createFlow([node("busy", "code", { code: busy })], []);
    const ids = await Promise.all(Array.from({ length: 60 }, () => before.start(flowId, {})));
    await before.allEnded(ids);
    const made = await before.call<{ backtestId: string }>("POST", `/flows/${flowId}/backtests`, {});
    const at = `/flows/${flowId}/backtests/${made.data.backtestId}`;
    await eventually("some runs are compared", async () => {
      const { data } = await before.call<Backtest>("GET", at);
      return data.done > 0 ? true : undefined;
    });
    await server.kill();
    const again = await startServer({ dataDir, env: { BOOTSTRAP_API_KEY: server.apiKey } });
    try {
      const after = new ServerClient({ url: again.url, apiKey: server.apiKey });
      const done = await eventually("the backtest ends", async () => {
        const { data } = await after.call<Backtest>("GET", at);
        return data.status === "running" ? undefined : data;
      });
      expect(done).toMatchObject({ status: "completed", done: 60, counts: { same: 60 } });
    } finally {
      await again.stop();
    }
  });
});

describe("learned types", () => {
  it("are of what runs had; a run unlike a hundred before has a warning, and advice knows them", async () => {
    const nodes = [transform("order", "({ total: $trigger.body.total, customer: $trigger.body.customer })")];
    const flow = await createFlow({ nodes });
    const body = { total: 4, customer: { name: "Ada" } };
    const run = (data: Record<string, unknown>) => execute(flow.id, data);
    const typesOf = async () =>
      (await get<{ nodes: Record<string, { "x-seen": number }> }>(`/flows/${flow.id}/types`)).data;
    let types = await typesOf();
    // Runs that end while many others are waiting to be sampled are skipped.
    for (let seen = 0; seen < 100; seen = types.nodes.order?.["x-seen"] ?? 0) {
      await Promise.all(Array.from({ length: Math.min(20, 100 - seen) }, () => run(body)));
      types = await typesOf();
    }
    expect(types.nodes.order).toMatchObject({
      type: "object",
      "x-seen": 100,
      properties: { total: { type: "integer", "x-seen": 100, "x-missing": 0 }, customer: { type: "object" } },
    });
    expect(JSON.stringify(types)).not.toContain("Ada");
    const { executionId } = await run({ ...body, total: "4" });
    const { data: shown } = await get<{ warnings: unknown }>(`/executions/${executionId}`);
    expect(shown.warnings).toMatchObject([{ code: "DRIFT", message: expect.stringContaining("trigger.body.total") }]);
    const logs = await get<{ level: string; data: unknown }[]>(`/executions/${executionId}/logs`);
    expect(logs.data.find(({ level }) => level === "warning")?.data).toEqual({
      code: "DRIFT",
      path: "trigger.body.total",
    });
    const trigger = { type: "manual", config: {} };
    const edited = [...nodes, transform("late", "$nodes.order.output.customr.name")];
    const checked = await post<{ advice: { code: string; nodeId: string }[] }>("/flows/check", {
      trigger,
      nodes: edited,
      edges: [edge("order", "late")],
      flowId: flow.id,
    });
    expect(checked.data.advice).toMatchObject([{ code: "UNKNOWN_PATH", nodeId: "late" }]);
  });
});
