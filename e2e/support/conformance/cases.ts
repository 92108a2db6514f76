// What holds of every run, whoever does it.
import { expect } from "vitest";
import { countingServer } from "../counting-server.ts";
import { edge, node, outputOf, statuses, transform } from "../flows.ts";
import type { Driver } from "./driver.ts";

export interface Case {
  readonly name: string;
  readonly check: (driver: Driver) => Promise<void>;
}

const call = (id: string, url: string, more: Record<string, unknown> = {}) =>
  node(id, "http-request", { url: `${url}/${id}`, ...more });

/** Requests by path, in the order in which they came. */
const paths = (received: readonly { url: string }[]) => received.map(({ url }) => url.slice(1));

export const graphCases: readonly Case[] = [
  {
    name: "one branch runs and the other is skipped, with all that only it leads to",
    check: async (driver) => {
      const nodes = [
        node("check", "if-else", { condition: "$trigger.body.n > 1" }),
        transform("yes", "'yes'"),
        transform("no", "'no'"),
        transform("after", "'after'"),
        transform("join", "[$nodes['yes']?.output, $nodes['no']?.output]"),
      ];
      const edges = [
        edge("check", "yes", "true"),
        edge("check", "no", "false"),
        edge("no", "after"),
        edge("yes", "join"),
        edge("after", "join"),
      ];
      const run = await driver.run({ nodes, edges }, { n: 2 });
      expect(run).toMatchObject({ status: "completed", output: ["yes", null], nodesExecuted: 3 });
      expect(statuses(run)).toEqual({
        check: "completed",
        yes: "completed",
        no: "skipped",
        after: "skipped",
        join: "completed",
      });
    },
  },
  {
    name: "branches run beside each other and a join runs once, after both",
    check: async (driver) => {
      const sink = await countingServer((index) => (index < 2 ? "hold" : {}));
      const nodes = [transform("start", "1"), call("left", sink.url), call("right", sink.url), call("join", sink.url)];
      const edges = [edge("start", "left"), edge("start", "right"), edge("left", "join"), edge("right", "join")];
      const { id } = await driver.createFlow({ nodes, edges });
      const execution = await driver.start(id);
      await sink.until(2);
      expect(paths(sink.received).sort()).toEqual(["left", "right"]);
      sink.release();
      const run = await driver.client.ended(execution);
      expect(run).toMatchObject({ status: "completed", nodesExecuted: 4 });
      expect(paths(sink.received)[2]).toBe("join");
      expect(sink.received).toHaveLength(3);
    },
  },
  {
    name: "a branch goes on while another is still busy",
    check: async (driver) => {
      const sink = await countingServer((_, { url }) => (url === "/slow" ? "hold" : {}));
      const nodes = [
        call("slow", sink.url),
        call("first", sink.url),
        transform("second", "2"),
        call("third", sink.url),
      ];
      const { id } = await driver.createFlow({ nodes, edges: [edge("first", "second"), edge("second", "third")] });
      const execution = await driver.start(id);
      await sink.until(3);
      expect(paths(sink.received).sort()).toEqual(["first", "slow", "third"]);
      sink.release();
      expect(await driver.client.ended(execution)).toMatchObject({ status: "completed", nodesExecuted: 4 });
    },
  },
  {
    name: "expressions see the outputs of nodes that ran in an earlier call",
    check: async (driver) => {
      const sink = await countingServer(() => ({ body: { big: "x".repeat(1_000), n: 7 } }));
      const nodes = [
        call("read", sink.url),
        transform("sum", "$nodes['read'].output.body.n + $trigger.body.n + $vars.n"),
        node("answer", "respond", { status: 201, body: "{{ $node.output }}" }),
      ];
      const edges = [edge("read", "sum"), edge("sum", "answer")];
      const run = await driver.run({ nodes, edges, variables: { n: 100 } }, { n: 10 });
      expect(run).toMatchObject({ status: "completed", output: 117 });
      expect(outputOf(run, "read")).toMatchObject({ status: 200, body: { n: 7 } });
    },
  },
];

export const failureCases: readonly Case[] = [
  {
    name: "a failure fails the run: what is in flight finishes, nothing new starts",
    check: async (driver) => {
      const sink = await countingServer((_, { url }) => (url === "/slow" ? "hold" : {}));
      const nodes = [
        call("slow", sink.url),
        call("gate", sink.url),
        transform("breaks", "$trigger.body.missing.x"),
        call("never", sink.url),
      ];
      const edges = [edge("gate", "breaks"), edge("breaks", "never")];
      const { id } = await driver.createFlow({ nodes, edges });
      const execution = await driver.start(id);
      await sink.until(2);
      setTimeout(() => sink.release(), 500);
      const run = await driver.client.ended(execution);
      expect(run).toMatchObject({
        status: "failed",
        errorCount: 1,
        error: { nodeId: "breaks", code: "EXPRESSION_FAILED" },
      });
      expect(statuses(run)).toMatchObject({ slow: "completed", gate: "completed", breaks: "failed", never: "skipped" });
      expect(run.logs?.filter(({ level }) => level === "error")).toHaveLength(1);
    },
  },
  {
    name: "a failure follows the error handle, and what it leads to sees why",
    check: async (driver) => {
      const nodes = [
        transform("breaks", "$trigger.body.missing.x"),
        transform("normal", "1"),
        transform("handled", "$nodes['breaks'].output.error.code"),
      ];
      const edges = [edge("breaks", "normal"), edge("breaks", "handled", "error")];
      const run = await driver.run({ nodes, edges });
      expect(run).toMatchObject({ status: "completed", output: "EXPRESSION_FAILED", errorCount: 1 });
      expect(statuses(run)).toEqual({ breaks: "failed", normal: "skipped", handled: "completed" });
    },
  },
  {
    name: "a node with onError continue passes its error on as its output",
    check: async (driver) => {
      const nodes = [
        transform("breaks", "$trigger.body.missing.x", { onError: "continue" }),
        transform("after", "$node.output.error.code"),
      ];
      const run = await driver.run({ nodes, edges: [edge("breaks", "after")] });
      expect(run).toMatchObject({ status: "completed", output: "EXPRESSION_FAILED" });
    },
  },
  {
    name: "a call is tried again as the node says, under one key",
    check: async (driver) => {
      const sink = await countingServer((index) => ({ status: index < 2 ? 503 : 200 }));
      const retry = { maxRetries: 3, retryDelay: 10 };
      const run = await driver.run({ nodes: [call("call", sink.url, { method: "POST", retry })] });
      expect(run).toMatchObject({ status: "completed", nodes: [{ nodeId: "call", retries: 2 }] });
      const keys = new Set(sink.received.map(({ headers }) => headers["idempotency-key"]));
      expect([sink.received.length, [...keys]]).toEqual([3, [`${run.id}.call`]]);
    },
  },
];

export const stopCases: readonly Case[] = [
  {
    name: "a cancelled run stops what it does, and nothing more starts",
    check: async (driver) => {
      const sink = await countingServer(() => "hold");
      const nodes = [call("held", sink.url), call("after", sink.url)];
      const { id } = await driver.createFlow({ nodes, edges: [edge("held", "after")] });
      const execution = await driver.start(id);
      await sink.until(1);
      const answer = await driver.client.call("POST", `/executions/${execution}/cancel`, { reason: "enough" });
      expect(answer).toMatchObject({ status: 200, data: { status: "cancelled" } });
      await expect.poll(() => sink.aborted(), { timeout: 10_000 }).toBe(1);
      await expect
        .poll(async () => statuses(await driver.client.read(execution)), { timeout: 10_000 })
        .toMatchObject({ held: "cancelled" });
      expect(await driver.client.read(execution)).toMatchObject({ status: "cancelled", reason: "enough" });
      expect(sink.received).toHaveLength(1);
    },
  },
  {
    name: "a run that passes its time limit is stopped",
    check: async (driver) => {
      const sink = await countingServer(() => "hold");
      const nodes = [call("held", sink.url), call("after", sink.url)];
      const flow = { nodes, edges: [edge("held", "after")], settings: { timeoutMs: 1_000 } };
      const run = await driver.run(flow);
      expect(run).toMatchObject({ status: "timeout", error: { code: "TIMEOUT" } });
      expect(statuses(run)).toMatchObject({ after: "skipped" });
      expect(sink.received).toHaveLength(1);
    },
  },
  {
    name: "a retry from a node keeps what the earlier run left before it",
    check: async (driver) => {
      const sink = await countingServer((index) => (index === 1 ? { status: 400 } : {}));
      const nodes = [
        call("first", sink.url),
        call("second", sink.url),
        transform("last", "$nodes['first'].output.status"),
      ];
      const edges = [edge("first", "second"), edge("second", "last")];
      const failed = await driver.run({ nodes, edges });
      expect(failed.status).toBe("failed");
      const retry = { fromNode: "second" };
      const answer = await driver.client.call<{ executionId: string }>("POST", `/executions/${failed.id}/retry`, retry);
      const run = await driver.client.ended(answer.data.executionId);
      expect(run).toMatchObject({ status: "completed", output: 200, nodesExecuted: 3 });
      expect(paths(sink.received)).toEqual(["first", "second", "second"]);
    },
  },
];

export const waitCases: readonly Case[] = [
  {
    name: "a delay holds up what follows it and nothing else",
    check: async (driver) => {
      const sink = await countingServer();
      const nodes = [node("delay", "delay", { ms: 1_500 }), call("late", sink.url), call("early", sink.url)];
      const run = await driver.run({ nodes, edges: [edge("delay", "late")], settings: { timeoutMs: 1_200 } });
      expect(run).toMatchObject({ status: "completed", nodesExecuted: 3 });
      expect(paths(sink.received)).toEqual(["early", "late"]);
      const [early, late] = sink.received;
      expect((late?.atMs ?? 0) - (early?.atMs ?? 0)).toBeGreaterThan(1_000);
    },
  },
  {
    name: "a run that waits can be cancelled",
    check: async (driver) => {
      const nodes = [node("delay", "delay", { ms: 3_600_000 }), transform("after", "1")];
      const { id } = await driver.createFlow({ nodes, edges: [edge("delay", "after")] });
      const execution = await driver.client.start(id);
      await expect
        .poll(async () => statuses(await driver.client.read(execution)), { timeout: 10_000 })
        .toMatchObject({ delay: "running" });
      expect((await driver.client.call("POST", `/executions/${execution}/cancel`, {})).status).toBe(200);
      expect(await driver.client.read(execution)).toMatchObject({ status: "cancelled" });
    },
  },
];

export const flowControlCases: readonly Case[] = [
  {
    name: "a wait goes on with the call to its address, however soon it comes",
    check: async (driver) => {
      const sink = await countingServer();
      const nodes = [
        node("tell", "http-request", { url: sink.url, method: "POST", body: { resume: "{{ $resume['wait'] }}" } }),
        node("wait", "wait", { timeoutMs: 60_000 }),
        transform("after", "$node.output.body.ok"),
      ];
      const { id } = await driver.createFlow({ nodes, edges: [edge("tell", "wait"), edge("wait", "after")] });
      const execution = await driver.start(id);
      await sink.until(1);
      const { resume }: { resume: string } = JSON.parse(sink.received[0]?.body ?? "");
      const headers = { "content-type": "application/json" };
      expect((await fetch(resume, { method: "POST", headers, body: '{"ok": true}' })).status).toBe(200);
      expect(await driver.client.ended(execution)).toMatchObject({ status: "completed", output: true });
    },
  },
  {
    name: "a wait that nobody answers follows its time limit's handle",
    check: async (driver) => {
      const nodes = [node("wait", "wait", { timeoutMs: 500 }), transform("late", "'late'"), transform("in time", "1")];
      const edges = [edge("wait", "late", "timeout"), edge("wait", "in time")];
      expect(await driver.run({ nodes, edges })).toMatchObject({ status: "completed", output: "late" });
    },
  },
  {
    name: "a loop runs its body for each item, as many at once as it says, and keeps their order",
    check: async (driver) => {
      const sink = await countingServer();
      const body = {
        nodes: [
          call("call", sink.url, { method: "POST" }),
          transform("double", "$item * 2 + $nodes['call'].output.status"),
        ],
        edges: [edge("call", "double")],
      };
      const nodes = [node("loop", "loop", { items: "{{ $trigger.body.items }}", concurrency: 2, body })];
      const run = await driver.run({ nodes }, { items: [1, 2, 3, 4, 5] });
      expect(run).toMatchObject({ status: "completed", output: [202, 204, 206, 208, 210] });
      expect(new Set(sink.received.map(({ headers }) => headers["idempotency-key"])).size).toBe(5);
    },
  },
  {
    name: "a loop stops at an item that fails, or collects the errors",
    check: async (driver) => {
      const body = { nodes: [transform("check", "$item.ok.value")], edges: [] };
      const items = [{ ok: { value: 1 } }, {}, { ok: { value: 3 } }];
      const loop = (more: Record<string, unknown>) => [node("loop", "loop", { items, body, ...more })];
      expect(await driver.run({ nodes: loop({}) })).toMatchObject({ status: "failed", error: { nodeId: "loop" } });
      const collected = await driver.run({ nodes: loop({ onItemError: "collect" }) });
      expect(collected).toMatchObject({ status: "completed", output: [1, { error: { nodeId: "check" } }, 3] });
    },
  },
  {
    name: "a sub-flow is a run of its own, and its output goes on in the run that started it",
    check: async (driver) => {
      const child = await driver.createFlow({ nodes: [transform("plus", "$trigger.body.n + 1")] });
      const nodes = [
        node("sub", "sub-flow", { flowId: child.id, data: { n: "{{ $trigger.body.n }}" } }),
        transform("after", "$node.output"),
      ];
      const run = await driver.run({ nodes, edges: [edge("sub", "after")] }, { n: 41 });
      expect(run.status).toBe("completed");
      expect(JSON.stringify(run.output)).toContain("42");
    },
  },
  {
    name: "a stop ends the run wherever it stands, and a wait beside it is given up",
    check: async (driver) => {
      const nodes = [
        node("delay", "delay", { ms: 3_600_000 }),
        node("stop", "stop", { status: "completed", output: { done: true } }),
        transform("after", "1"),
      ];
      const run = await driver.run({ nodes, edges: [edge("delay", "after")] });
      expect(run).toMatchObject({ status: "completed", output: { done: true } });
    },
  },
];

export const sizeCases: readonly Case[] = [
  {
    name: "a flow of 1,000 nodes runs them all, in their order",
    check: async (driver) => {
      const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
      const nodes = ids.map((id, index) => transform(id, index === 0 ? "1" : "$node.output + 1"));
      const edges = ids.slice(1).map((id, index) => edge(`n${index}`, id));
      const run = await driver.run({ nodes, edges });
      expect(run).toMatchObject({ status: "completed", output: 1_000, nodesExecuted: 1_000 });
    },
  },
  {
    name: "outputs of 10 MB are kept and passed on",
    check: async (driver) => {
      const parts = Array.from({ length: 11 }, (_, index) => transform(`part${index}`, "'x'.repeat(1_000_000)"));
      const lengths = parts.map(({ id }) => `$nodes['${id}'].output.length`).join(" + ");
      const edges = parts.map(({ id }) => edge(id, "sum"));
      const run = await driver.run({ nodes: [...parts, transform("sum", lengths)], edges });
      expect(run).toMatchObject({ status: "completed", output: 11_000_000, nodesExecuted: 12 });
    },
  },
];
