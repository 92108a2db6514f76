// Each kind of advice: a flow that gets it, and a similar one that does not.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";
import { adviceOnFlow } from "./advice.ts";
import {
  adviceFor,
  advise,
  call,
  caught,
  every,
  flows,
  type Given,
  loop,
  node,
  none,
  other,
  pay,
  respond,
  sub,
  transform,
} from "./testing/given-flows.ts";

const cases: [FlowAdvice["code"], string, string, Given, Given][] = [
  [
    "UNREACHABLE_NODE",
    "after",
    "nodes[1].config",
    { nodes: [node("stop", "stop"), transform("after", "1")], edges: ["stop > after"] },
    { nodes: [node("stop", "stop", {}, { disabled: true }), transform("after", "1")], edges: ["stop > after"] },
  ],
  [
    "DEAD_BRANCH",
    "check",
    "nodes[0].config.condition",
    { nodes: [node("check", "if-else", { condition: "1 > 2" })] },
    { nodes: [node("check", "if-else", { condition: "$vars.limit > 2" })] },
  ],
  [
    "MISSING_ELSE",
    "check",
    "nodes[0].config",
    { nodes: [node("check", "if-else", { condition: "$trigger.body.ok" }), respond()], edges: ["check:true > answer"] },
    {
      nodes: [node("check", "if-else", { condition: "$trigger.body.ok" }), respond(), respond("refuse")],
      edges: ["check:true > answer", "check:false > refuse"],
    },
  ],
  [
    "UNHANDLED_FAILURE",
    "call",
    "nodes[0].config",
    { nodes: [call("call"), respond()], edges: ["call > answer"] },
    { nodes: [call("call"), respond(), respond("instead")], edges: caught },
  ],
  [
    "RETRY_WITHOUT_IDEMPOTENCY",
    "pay",
    "nodes[0].config.headers.Idempotency-Key",
    { nodes: [pay("pay", { headers: { "Idempotency-Key": "{{ Date.now() }}" } })] },
    { nodes: [pay("pay", { headers: { "Idempotency-Key": "{{ $trigger.body.id }}" } })] },
  ],
  [
    "NO_RETRY",
    "call",
    "nodes[0].config.retry",
    { trigger: every("0 9 * * *"), nodes: [call("call", { retry: {} })] },
    { trigger: every("0 9 * * *"), nodes: [call("call", { retry: { maxRetries: 1 } })] },
  ],
  [
    "SECRET_IN_CONFIG",
    "call",
    "nodes[0].config.headers.Authorization",
    { nodes: [call("call", { headers: { Authorization: "Bearer 8f2Kq0vLx71TzRw4YbNc93" } })] },
    {
      nodes: [
        call("call", {
          headers: {
            Authorization: "Bearer {{ $trigger.body.token }}",
            "X-Plan": "professional-plan-2026-with-a-long-name",
          },
        }),
      ],
    },
  ],
  [
    "OPEN_TRIGGER",
    "trigger",
    "trigger.config.authentication",
    { trigger: { type: "webhook" }, nodes: [pay("pay")] },
    { trigger: { type: "webhook" }, nodes: [call("call")] },
  ],
  [
    "UNUSED_OUTPUT",
    "sum",
    "nodes[0].config",
    { nodes: [transform("sum", "1 + 1"), call("call")], edges: ["sum > call"] },
    { nodes: [transform("sum", "1 + 1"), call("call", { body: "{{ $nodes.sum.output }}" })], edges: ["sum > call"] },
  ],
  [
    "UNBOUNDED_LOOP",
    "each",
    "nodes[0].config.maxItems",
    { nodes: [loop({}, pay("ship"))] },
    { nodes: [loop({ maxItems: 50 }, pay("ship"))] },
  ],
  [
    "SLOW_BEFORE_ANSWER",
    "pause",
    "nodes[0].config",
    { nodes: [node("pause", "delay", { ms: 3_600_000 }), respond()], edges: ["pause > answer"] },
    { nodes: [node("pause", "delay", { ms: 1_000 }), respond()], edges: ["pause > answer"] },
  ],
  [
    "OVERLAPPING_SCHEDULE",
    "trigger",
    "trigger.config.cron",
    {
      trigger: every("*/5 * * * *"),
      nodes: [node("a", "delay", { ms: 200_000 }), node("b", "delay", { ms: 200_000 })],
      edges: ["a > b"],
    },
    {
      trigger: every("*/5 * * * *"),
      nodes: [node("a", "delay", { ms: 200_000 }), node("b", "delay", { ms: 200_000 })],
    },
  ],
  [
    "SUBFLOW_CYCLE",
    "sub",
    "nodes[0].config.flowId",
    { nodes: [sub(other)], references: flows(["flow_own"]), flowId: "flow_own" },
    { nodes: [sub(other)], references: flows(["flow_third"]), flowId: "flow_own" },
  ],
  [
    "INACTIVE_SUBFLOW",
    "sub",
    "nodes[0].config.flowId",
    { nodes: [sub(other)], references: flows([], "draft") },
    { nodes: [sub(other)], references: flows([]) },
  ],
  [
    "MISSING_CREDENTIAL",
    "call",
    "nodes[0].config.credential",
    { nodes: [call("call", { credential: "shop" })] },
    { nodes: [call("call", { credential: "shop" })], references: { credentials: new Set(["shop"]) } },
  ],
  [
    "MISSING_TABLE",
    "find",
    "nodes[0].config.table",
    { nodes: [node("find", "table", { action: "find", table: "stock" })] },
    {
      nodes: [node("find", "table", { action: "find", table: "stock" })],
      references: { tables: new Set(["stock"]) },
    },
  ],
  [
    "WAIT_WITHOUT_TIMEOUT",
    "wait",
    "nodes[0].config.timeoutMs",
    { nodes: [node("wait", "wait")] },
    { nodes: [node("wait", "wait", { timeoutMs: 1_000 })] },
  ],
];

describe("advice on a flow", () => {
  test.each(cases)("%s is given to one flow, and not to a similar one", async (code, nodeId, path, has, hasNot) => {
    expect(await adviceFor(has)).toEqual([[code, nodeId, path]]);
    expect(await adviceFor(hasNot)).toEqual([]);
  });

  test("a fix removes the advice and leads to no other of its kind", async () => {
    let fixed = 0;
    for (const [code, , , has] of cases) {
      const [advice] = await advise(has);
      if (!advice?.fix) continue;
      fixed += 1;
      const flow = advice.fix.definition as {
        trigger: object;
        nodes: object[];
        edges: { source: string; target: string }[];
      };
      const edges = flow.edges.map(({ source, target }) => `${source} > ${target}`);
      expect(
        (await adviceFor({ ...has, trigger: flow.trigger, nodes: flow.nodes, edges })).map(([still]) => still),
      ).not.toContain(code);
    }
    expect(fixed).toBeGreaterThan(4);
  });

  test.each(globSync(["examples/*.json", "examples/templates/basics/*.json"]))(
    "%s gets no warning, and one piece at most",
    async (path) => {
      const { trigger, nodes, edges = [] } = JSON.parse(readFileSync(path, "utf8"));
      const flow = {
        trigger: flowTrigger.parse(trigger),
        nodes: flowNodes.parse(nodes),
        edges: flowEdges.parse(edges),
      };
      const context = { references: none, ownId: null, callerWaitsMs: 25_000 };
      const found = await adviceOnFlow(flow, await planNodes("ws", flow), context);
      expect(found.filter(({ severity }) => severity !== "info")).toEqual([]);
      expect(found.length).toBeLessThanOrEqual(1);
    },
  );

  test.each([
    ["a well-known prefix anywhere", { url: `https://api.test/?key=ghp_${"a1B2".repeat(9)}` }, "url"],
    ["a private key", { body: { pem: "-----BEGIN RSA PRIVATE KEY-----\nMII" } }, "body.pem"],
    ["a password field", { body: { password: "q8Zr-71kW_20xTvB4nPs" } }, "body.password"],
  ])("finds %s, and never quotes it", async (_, config, field) => {
    const [advice] = await advise({ nodes: [call("call", config)] });
    expect([advice?.code, advice?.path]).toEqual(["SECRET_IN_CONFIG", `nodes[0].config.${field}`]);
    expect(advice?.message).not.toMatch(/ghp_|MII|q8Zr/);
  });

  test.each([
    ["a placeholder", { headers: { Authorization: "Bearer your-token-here" } }],
    ["words", { body: { token: "the quick brown fox jumps over 13 lazy dogs" } }],
    ["an id", { body: { orderId: "01kad6w1m4e8tvm8d9fqzc4x2r" } }],
    ["a note", { notes: `ghp_${"a1B2".repeat(9)}` }],
  ])("does not take %s for a secret", async (_, config) => {
    expect(await adviceFor({ nodes: [call("call", config)] })).toEqual([]);
  });

  test("is given on a thousand nodes, with few fixes", async () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => call(`n${index}`, { retry: {} }));
    const edges = nodes.slice(1).map((_, index) => `n${index} > n${index + 1}`);
    const found = await advise({ trigger: every("0 9 * * *"), nodes, edges });
    expect(found).toHaveLength(1_000);
    expect(found.filter(({ fix }) => fix !== null).length).toBeLessThanOrEqual(20);
  });

  test("is not given on disabled nodes, and follows conditions only where they lead", async () => {
    const off = { disabled: true };
    expect(
      await adviceFor({
        nodes: [node("check", "if-else", { condition: "1 > 2" }, off), node("wait", "wait", {}, off)],
      }),
    ).toEqual([]);
    const nodes = [node("check", "if-else", {}, off), transform("yes", "1"), transform("no", "2")];
    const edges = ["check:true > yes", "check:false > no"];
    expect((await adviceFor({ nodes, edges })).map(([code, id]) => [code, id])).toEqual([
      ["UNREACHABLE_NODE", "yes"],
      ["UNREACHABLE_NODE", "no"],
    ]);
  });
});
