// Waits, loops, sub-flows and stops.
import { expect } from "vitest";
import { countingServer } from "../counting-server.ts";
import { edge, node, transform } from "../flows.ts";
import { type Case, callNode } from "./case.ts";

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
          callNode("call", sink.url, { method: "POST" }),
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
      const loop = (config: Record<string, unknown>) => [node("loop", "loop", { items, body, ...config })];
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
