// Backtests of real runs with a deterministic service: they must report what running both versions shows.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import {
  createBacktest as createEndpoint,
  readBacktest as readEndpoint,
  readBacktestRun as readRunEndpoint,
} from "#lib/contract/flows/backtests.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { deleteRows } from "#lib/executions/delete-executions.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { insertExecution } from "#lib/executions/store/insert-execution.ts";
import { newExecution, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import type { OutboundAnswer } from "#lib/nodes/http-request/outbound-request.ts";
import { database, query } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { compareRun } from "#lib/replay/backtest.ts";
import { prepareReplay } from "#lib/replay/prepare.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { createBacktest } from "./create-backtest.ts";
import { cancelBacktest, listBacktests, readBacktest, readBacktestRun } from "./read-backtest.ts";
import { workOnBacktests } from "./work-on-backtests.ts";

let actor: Actor;
const sandbox = createSandbox({ children: 2 });
/** The requests sent, as a receiver distinguishes them. */
let sent: string[] = [];

/** Answers depend only on the request. */
function serve({ method, url, body }: { method: string; url: string; body?: string }): OutboundAnswer {
  sent.push(`${method} ${url} ${body ?? ""}`);
  const status = /\/status\/(\d+)/.exec(url)?.[1];
  const payload = body === undefined ? null : JSON.parse(body);
  return {
    status: Number(status ?? 200),
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ echo: payload, size: (body ?? "").length })),
  };
}

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  singleton("outside", () => ({
    sandbox,
    outbound: { send: async (request: never) => serve(request) } as unknown as Outside["outbound"],
  }));
  runSignals().sandbox = () => sandbox;
});
afterAll(() => sandbox.close());

interface Built {
  readonly nodes: readonly FlowNode[];
  readonly edges?: readonly FlowEdge[];
}

type Ran = {
  readonly id: string;
  readonly status: string;
  readonly output: string | null;
  readonly sent: readonly string[];
};

async function runOnce(flow: Awaited<ReturnType<typeof storedFlow>>, body: unknown): Promise<Ran> {
  const trigger = triggerTextOf({ body, headers: {}, query: {}, method: "POST" });
  const request = {
    triggerType: "manual",
    trigger,
    source: "api",
    ip: null,
    userAgent: null,
    leaseOwner: null,
  } as const;
  const execution = newExecution(flow, request);
  await insertExecution(execution);
  sent = [];
  const claim = (await claimRuns(100)).find(({ run }) => run.id === execution.id);
  if (claim === undefined) throw new Error("the run was not taken");
  await driveRun(claim.run, claim.recorded, Number.MAX_SAFE_INTEGER);
  const { status, output } = await database().execution.findUniqueOrThrow({ where: { id: execution.id } });
  return { id: execution.id, status, output, sent: sent.toSorted() };
}

const stored = ({ nodes, edges = [] }: Built) => storedFlow(actor, nodes, edges);
const create = async (flowId: string, body: object = {}) =>
  createEndpoint.answer.parse(await createBacktest(actor, flowId, createEndpoint.body.parse(body)));
const read = async (flowId: string, id: string, options: object = {}) =>
  readEndpoint.answer.parse(await readBacktest(actor, flowId, id, { page: 1, limit: 100, ...options }));
const work = () => workOnBacktests(new AbortController().signal);

async function backtest(flowId: string, definition: Built, options: object = {}) {
  const { backtestId } = await create(flowId, { definition, ...options });
  await work();
  return await read(flowId, backtestId);
}

const transform = (id: string, text: string, options = {}) => node(id, "transform", { transform: text, ...options });
const call = (id: string, config: object = {}) =>
  node(id, "http-request", { method: "POST", url: "https://api.test/", ...config });
const check = (condition: string) => node("check", "if-else", { condition });
const loopOver = (body: FlowNode[], options: object = {}) =>
  node("each", "loop", {
    items: "{{ $trigger.body.items }}",
    body: { nodes: body.map(({ id, type, config }) => ({ id, type, config })), edges: [] },
    ...options,
  });
const ship = (body: string, options: object = {}) => call("ship", { body, ...options });

const bodies = [
  { n: 1, items: [1, 2, 3] },
  { n: 20, items: [3, 3] },
  { n: 300, items: [] },
  { n: 4, items: [5], extra: true },
];

const plain: Built = {
  nodes: [
    call("pay", { body: { amount: "{{ $trigger.body.n }}" } }),
    transform("sum", "$nodes.pay.output.body.echo.amount + 1"),
  ],
  edges: [edge("pay -> sum")],
};
const fails: Built = {
  nodes: [call("gone", { url: "https://api.test/status/404" }), transform("after", "1")],
  edges: [edge("gone -> after")],
};

/** A name, the version that ran, and the one compared with it. */
const changes: [string, Built, Built][] = [
  ["the same", plain, plain],
  [
    "another computation",
    plain,
    { ...plain, nodes: [plain.nodes[0] as FlowNode, transform("sum", "$nodes.pay.output.body.echo.amount + 2")] },
  ],
  [
    "a request that is the same for some",
    plain,
    {
      ...plain,
      nodes: [call("pay", { body: { amount: "{{ Math.min($trigger.body.n, 50) }}" } }), plain.nodes[1] as FlowNode],
    },
  ],
  [
    "a failure that is caught",
    fails,
    {
      nodes: [...fails.nodes, transform("caught", "'no'")],
      edges: [edge("gone -> after"), edge("gone:error -> caught")],
    },
  ],
  [
    "a failure that goes on",
    fails,
    {
      ...fails,
      nodes: [call("gone", { url: "https://api.test/status/404", onError: "continue" }), fails.nodes[1] as FlowNode],
    },
  ],
  [
    "a status that is no failure any more",
    fails,
    {
      ...fails,
      nodes: [call("gone", { url: "https://api.test/status/404", failOnStatus: false }), fails.nodes[1] as FlowNode],
    },
  ],
  [
    "a new failure",
    plain,
    {
      ...plain,
      nodes: [
        plain.nodes[0] as FlowNode,
        transform("sum", "$trigger.body.extra ? $trigger.body.none.x : $nodes.pay.output.body.echo.amount + 1"),
      ],
    },
  ],
  ["a call that is gone", plain, { nodes: [transform("sum", "$trigger.body.n + 1")] }],
  [
    "a call that is new",
    { nodes: [transform("sum", "$trigger.body.n")] },
    { nodes: [transform("sum", "$trigger.body.n"), call("tell", { body: 1 })], edges: [edge("sum -> tell")] },
  ],
  [
    "another branch",
    {
      nodes: [check("$trigger.body.n > 10"), call("high", { body: "{{ $trigger.body.n }}" }), transform("low", "0")],
      edges: [edge("check:true -> high"), edge("check:false -> low")],
    },
    {
      nodes: [check("$trigger.body.n > 100"), call("high", { body: "{{ $trigger.body.n }}" }), transform("low", "0")],
      edges: [edge("check:true -> high"), edge("check:false -> low")],
    },
  ],
  [
    "a loop with other items",
    { nodes: [loopOver([ship("{{ $item }}")])] },
    { nodes: [loopOver([ship("{{ $item }}")], { items: "{{ $trigger.body.items.filter((n) => n !== 2) }}" })] },
  ],
  [
    "a loop in another order",
    { nodes: [loopOver([ship("{{ $item }}")])] },
    { nodes: [loopOver([ship("{{ $item }}")], { items: "{{ $trigger.body.items.toReversed() }}" })] },
  ],
  [
    "a loop with another request",
    { nodes: [loopOver([ship("{{ $item }}")])] },
    { nodes: [loopOver([ship("{{ $item + 1 }}")])] },
  ],
  [
    "a delay before",
    plain,
    { nodes: [node("wait", "delay", { ms: 1 }), ...plain.nodes], edges: [edge("wait -> pay"), edge("pay -> sum")] },
  ],
  [
    "two at once, of which one fails",
    { nodes: [transform("bad", "$trigger.body.none.x"), call("pay", { body: 1 })] },
    { nodes: [transform("bad", "1"), call("pay", { body: 1 })] },
  ],
];

describe("a verdict", () => {
  test.each(changes)("of %s matches what running both shows", async (_, before, after) => {
    const [old, changed] = [await stored(before), await stored(after)];
    const runs: [Ran, Ran][] = [];
    for (const body of bodies) runs.push([await runOnce(old, body), await runOnce(changed, body)]);
    const { runs: reported, counts, done, total, status } = await backtest(old.id, after);
    expect([status, done, total, Object.values(counts).reduce((a, b) => a + b)]).toEqual(["completed", 4, 4, 4]);
    for (const [then, now] of runs) {
      const { verdict, calls, first } = reported.find(({ executionId }) => executionId === then.id) ?? expect.fail();
      if (verdict === "unknown") {
        // Only a request that was never answered is unknown.
        expect(now.sent.some((request) => !then.sent.includes(request)) || then.status === "failed").toBe(true);
        continue;
      }
      expect([verdict, then, now]).toEqual([realVerdict(then, now), then, now]);
      expect(first === null).toBe(verdict === "same");
      if (verdict === "same") expect(calls.every(({ change }) => change === "same")).toBe(true);
    }
  });

  function realVerdict(then: Ran, now: Ran): string {
    if (then.status !== now.status) return now.status === "completed" ? "mended" : "broken";
    const isSame = then.output === now.output && JSON.stringify(then.sent) === JSON.stringify(now.sent);
    return isSame ? "same" : "changed";
  }

  test("names the node and the path, and shows both outcomes of one run", async () => {
    const flow = await stored(plain);
    const { id } = await runOnce(flow, { n: 4 });
    const changed = { ...plain, nodes: [plain.nodes[0] as FlowNode, transform("sum", "({ total: 7 })")] };
    const report = await backtest(flow.id, changed);
    expect(report.runs).toEqual([
      {
        executionId: id,
        startedAt: expect.any(String),
        verdict: "changed",
        first: { nodeId: "sum", path: "output", before: 5, after: { total: 7 } },
        calls: [{ nodeId: "pay", change: "same", before: null, after: null }],
        reason: null,
      },
    ]);
    const comparison = readRunEndpoint.answer.parse(await readBacktestRun(actor, flow.id, report.id, id));
    expect(comparison.startedAt).toBe(report.runs[0]?.startedAt);
    expect(comparison.before).toEqual({ status: "completed", output: 5 });
    expect(comparison.nodes.find(({ nodeId }) => nodeId === "sum")).toMatchObject({
      before: { status: "completed", output: 5 },
      after: { status: "completed", output: { total: 7 } },
    });
  });

  test("is `changed` if another credential is used, although values are never seen", async () => {
    const using = (name: string) => ({ nodes: [call("pay", { credential: name })] });
    const reading = (name: string) => ({ nodes: [transform("key", `$credentials.${name}`)] });
    const run = {
      trigger: { body: {}, headers: {}, query: {}, method: "POST" },
      now: new Date().toISOString(),
    };
    const signal = new AbortController().signal;
    const context = { flowName: "Test", sandbox, owner: "ws", signal };
    const paid = new Map([["pay", { output: { status: 200, headers: {}, body: 1 } }]]);
    const verdictOf = async (before: Built, after: Built) => {
      const [earlier, later] = [before, after].map(({ nodes }) =>
        prepareReplay({ trigger: { type: "manual", config: {} }, nodes: [...nodes], edges: [], variables: {} }),
      );
      const past = { ...run, status: "completed", steps: paid } as const;
      return (await compareRun(earlier ?? expect.fail(), later ?? expect.fail(), past, context)).verdict;
    };
    expect(await verdictOf(using("shop"), using("shop"))).toBe("same");
    expect(await verdictOf(using("shop"), using("other"))).toBe("unknown");
    expect(await verdictOf(reading("shop"), reading("shop"))).toBe("same");
    expect(await verdictOf(reading("shop"), reading("other"))).toBe("changed");
  });

  test("is `unknown` if the answer is, as is everything after it; the changed request is shown", async () => {
    const flow = await stored(plain);
    await runOnce(flow, { n: 4 });
    const nodes = [call("pay", { body: { amount: 5 } }), plain.nodes[1] as FlowNode];
    const [run] = (await backtest(flow.id, { ...plain, nodes })).runs;
    expect(run).toMatchObject({
      verdict: "unknown",
      first: { nodeId: "pay", path: "request.body.amount", before: 4, after: 5 },
      calls: [{ nodeId: "pay", change: "changed", before: { body: { amount: 4 } }, after: { body: { amount: 5 } } }],
      reason: 'No answer is recorded for "pay"',
    });
  });
});

describe("a backtest", () => {
  test("selects runs by number, status, time and id, newest first", async () => {
    const flow = await stored({ nodes: [transform("t", "$trigger.body.bad ? $trigger.body.none.x : 1")] });
    const ids: string[] = [];
    for (const body of [{}, { bad: true }, {}]) ids.unshift((await runOnce(flow, body)).id);
    const definition = { nodes: [transform("t", "1")] };
    const all = await backtest(flow.id, definition);
    expect(all.runs.map(({ executionId, verdict }) => [executionId, verdict])).toEqual([
      [ids[0], "same"],
      [ids[1], "mended"],
      [ids[2], "same"],
    ]);
    expect((await read(flow.id, all.id, { verdict: "mended" })).runs).toHaveLength(1);
    expect((await read(flow.id, all.id, { page: 2, limit: 2 })).runs.map((run) => run.executionId)).toEqual([ids[2]]);
    expect((await backtest(flow.id, definition, { last: 1 })).runs).toHaveLength(1);
    expect((await backtest(flow.id, definition, { status: "failed" })).counts).toMatchObject({ mended: 1, same: 0 });
    expect((await backtest(flow.id, definition, { since: "2999-01-01" })).total).toBe(0);
    expect((await backtest(flow.id, definition, { executionIds: [ids[2], ids[2]] })).total).toBe(1);
    const foreign = await runOnce(await stored(plain), {});
    for (const invalid of [foreign.id, newId("execution"), "x"]) {
      await expect(create(flow.id, { definition, executionIds: [ids[0], invalid] })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    await expect(create(flow.id, { version: 9 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("continues after a process died, and fails after processes repeatedly die on it", async () => {
    const flow = await stored({ nodes: [transform("t", "1")] });
    for (let count = 0; count < 3; count += 1) await runOnce(flow, {});
    const { backtestId } = await create(flow.id);
    const expire = "UPDATE backtest SET fence = fence + 1, lease_until = now() - interval '1 second' WHERE id = $1";
    await query("claimed-and-dead", `${expire} `, [backtestId]);
    await query("one-done", "UPDATE backtest_run SET verdict = 'same' WHERE backtest_id = $1 AND position = 0", [
      backtestId,
    ]);
    expect((await read(flow.id, backtestId)).done).toBe(1);
    await Promise.all([work(), work()]);
    expect(await read(flow.id, backtestId)).toMatchObject({ status: "completed", done: 3, counts: { same: 3 } });

    const { backtestId: deadly } = await create(flow.id);
    await query("died", "UPDATE backtest SET losses = 5 WHERE id = $1", [deadly]);
    await work();
    expect(await read(flow.id, deadly)).toMatchObject({
      status: "failed",
      done: 0,
      error: expect.stringContaining("died"),
    });
  });

  test("waits behind earlier ones", async () => {
    const flow = await stored({ nodes: [transform("t", "1")] });
    await runOnce(flow, {});
    const before = Date.now();
    const { backtestId } = await create(flow.id);
    const { leaseUntil } = await database().backtest.findUniqueOrThrow({ where: { id: backtestId } });
    expect(leaseUntil.getTime()).toBeGreaterThanOrEqual(before);
    await work();
    expect((await read(flow.id, backtestId)).status).toBe("completed");
  });

  test("keeps its results when cancelled, and does not continue", async () => {
    const flow = await stored({ nodes: [transform("t", "1")] });
    await runOnce(flow, {});
    const { backtestId } = await create(flow.id);
    await cancelBacktest(actor, flow.id, backtestId);
    await cancelBacktest(actor, flow.id, backtestId);
    await work();
    expect(await read(flow.id, backtestId)).toMatchObject({ status: "cancelled", done: 0, total: 1 });
  });

  test("is limited to three per workspace, and ten are kept per flow", async () => {
    const flow = await stored({ nodes: [transform("t", "1")] });
    await runOnce(flow, {});
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => create(flow.id)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    await work();
    for (let count = 0; count < 10; count += 1) {
      await create(flow.id);
      await work();
    }
    expect((await listBacktests(actor, flow.id, { page: 1, limit: 100 })).total).toBe(10);
  });

  test("keeps no values of deleted runs, and is deleted with its flow", async () => {
    const flow = await stored(plain);
    const { id } = await runOnce(flow, { n: 4, secret: "a-canary" });
    const changed = { nodes: [transform("sum", "$trigger.body.secret")] };
    const report = await backtest(flow.id, changed);
    expect(JSON.stringify(report.runs)).toContain("a-canary");
    await deleteRows([id]);
    const { runs, counts } = await read(flow.id, report.id);
    expect([runs, counts.changed]).toEqual([
      [{ executionId: id, startedAt: null, verdict: "changed", first: null, calls: [], reason: "The run was deleted" }],
      1,
    ]);
    await deleteFlow(actor, flow.id, { deleteExecutions: false, ifMatch: null });
    expect(await database().backtest.count({ where: { flowId: flow.id } })).toBe(0);
    expect(await database().backtestRun.count({ where: { backtestId: report.id } })).toBe(0);
  });

  test("belongs to its workspace and its flow", async () => {
    const [flow, other] = [await stored(plain), await stored(plain)];
    const { backtestId } = await create(flow.id);
    const stranger = await newActor();
    for (const [as, flowId] of [
      [stranger, flow.id],
      [actor, other.id],
    ] as const) {
      await expect(readBacktest(as, flowId, backtestId, { page: 1, limit: 1 })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await expect(cancelBacktest(as, flowId, backtestId)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(readBacktestRun(as, flowId, backtestId, newId("execution"))).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
  });
});
