// Each piece of advice: a flow that gets it, and one close to it that does not.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";
import { adviceOnFlow } from "./advice.ts";
import type { References } from "./references.ts";

const none: References = { credentials: new Set(), flows: new Map(), missing: new Set() };

interface Given {
  readonly trigger?: object;
  readonly nodes: readonly object[];
  readonly edges?: readonly string[];
  readonly references?: Partial<References>;
  readonly flowId?: string;
}

/** `check:true > yes` is an edge from the handle `true`. */
const edgeOf = (text: string) => {
  const [from = "", target] = text.split(" > ");
  const [source, sourceHandle] = from.split(":");
  return { source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
};

async function advise({ trigger, nodes, edges = [], references, flowId }: Given): Promise<FlowAdvice[]> {
  const flow = {
    trigger: flowTrigger.parse(trigger ?? { type: "webhook", config: { authentication: "bearer", credential: "in" } }),
    nodes: flowNodes.parse(nodes),
    edges: flowEdges.parse(edges.map(edgeOf)),
  };
  const around = { references: { ...none, ...references }, ownId: flowId ?? null, callerWaitsMs: 25_000 };
  return await adviceOnFlow(flow, await planNodes("ws", flow), around);
}

const told = async (given: Given) => (await advise(given)).map(({ code, nodeId, path }) => [code, nodeId, path]);

const node = (id: string, type: string, config: object = {}, more: object = {}) => ({ id, type, config, ...more });
const url = "https://api.test/";
const call = (id: string, config: object = {}) =>
  node(id, "http-request", { url, retry: { maxRetries: 2 }, ...config });
const pay = (id: string, config: object = {}) => call(id, { method: "POST", ...config });
const transform = (id: string, program: unknown) => node(id, "transform", { transform: program });
const respond = (id = "answer") => node(id, "respond", { body: "ok" });
const caught = ["call > answer", "call:error > instead"];
const loop = (config: object, inner: object) =>
  node("each", "loop", { items: "{{ $trigger.body.orders }}", body: { nodes: [inner], edges: [] }, ...config });
const every = (cron: string) => ({ type: "schedule", config: { cron } });
const sub = (flowId: string) => node("sub", "sub-flow", { flowId });
const other = "flow_01kad6w1m4e8tvm8d9fqzc4x2r";
const flows = (runs: readonly string[], status = "active") => ({
  flows: new Map([[other, { name: "Other", status, runs }]]),
});

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
    "WAIT_WITHOUT_TIMEOUT",
    "wait",
    "nodes[0].config.timeoutMs",
    { nodes: [node("wait", "wait")] },
    { nodes: [node("wait", "wait", { timeoutMs: 1_000 })] },
  ],
];

describe("advice on a flow", () => {
  test.each(cases)("%s is given to one, and to nothing close to it", async (code, nodeId, path, has, hasNot) => {
    expect(await told(has)).toEqual([[code, nodeId, path]]);
    expect(await told(hasNot)).toEqual([]);
  });

  test("a fix takes the advice away and leads to no other of its kind", async () => {
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
        (await told({ ...has, trigger: flow.trigger, nodes: flow.nodes, edges })).map(([still]) => still),
      ).not.toContain(code);
    }
    expect(fixed).toBeGreaterThan(4);
  });

  test.each(globSync("examples/**/*.json"))("%s gets no warning, and one piece at most", async (path) => {
    const { trigger, nodes, edges = [] } = JSON.parse(readFileSync(path, "utf8"));
    const flow = { trigger: flowTrigger.parse(trigger), nodes: flowNodes.parse(nodes), edges: flowEdges.parse(edges) };
    const around = { references: none, ownId: null, callerWaitsMs: 25_000 };
    const found = await adviceOnFlow(flow, await planNodes("ws", flow), around);
    expect(found.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(1);
  });

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
    expect(await told({ nodes: [call("call", config)] })).toEqual([]);
  });

  test("is given of a thousand nodes in little time, with few fixes", async () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => call(`n${index}`, { retry: {} }));
    const edges = nodes.slice(1).map((_, index) => `n${index} > n${index + 1}`);
    const began = performance.now();
    const found = await advise({ trigger: every("0 9 * * *"), nodes, edges });
    expect(found).toHaveLength(1_000);
    expect(found.filter(({ fix }) => fix !== null).length).toBeLessThanOrEqual(20);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("is not given on what is disabled, and follows conditions only where they lead", async () => {
    const off = { disabled: true };
    expect(
      await told({ nodes: [node("check", "if-else", { condition: "1 > 2" }, off), node("wait", "wait", {}, off)] }),
    ).toEqual([]);
    const nodes = [node("check", "if-else", {}, off), transform("yes", "1"), transform("no", "2")];
    const edges = ["check:true > yes", "check:false > no"];
    expect((await told({ nodes, edges })).map(([code, id]) => [code, id])).toEqual([
      ["UNREACHABLE_NODE", "yes"],
      ["UNREACHABLE_NODE", "no"],
    ]);
  });
});

describe("nothing is said of", () => {
  const codesOf = async (given: Given) => (await advise(given)).map(({ code }) => code);

  test("a wait that ends before the caller's, and a wait without an end is", async () => {
    const flow = (config: object) => ({ nodes: [node("wait", "wait", config), respond()], edges: ["wait > answer"] });
    expect(await codesOf(flow({ timeoutMs: 2_000 }))).not.toContain("SLOW_BEFORE_ANSWER");
    expect(await codesOf(flow({}))).toContain("SLOW_BEFORE_ANSWER");
  });

  test.each([
    { id: "big", when: "$trigger.body.n > 5" },
    { id: "big", equals: "{{ $trigger.body.isBig }}" },
  ])("a switch on true by its case %o", async (one) => {
    const flow = (cases: object[]) => ({ nodes: [node("switch", "switch", { value: "true", cases })] });
    expect(await codesOf(flow([one]))).not.toContain("DEAD_BRANCH");
    expect(await codesOf(flow([{ id: "yes", equals: true }]))).toContain("DEAD_BRANCH");
  });

  test.each([
    ["{{ $trigger.body.Date }}-{{ $trigger.body.id }}", false],
    ["{{ new Date($trigger.body.createdAt).toISOString() }}", false],
    ["{{ $trigger.body.id }} Date.now", false],
    ["{{ $trigger.body.id }}-{{ Date.now() }}", true],
    ["{{ new Date().toISOString() }}", true],
    ["{{ Math.random() }}", true],
  ])("the key %s: %s", async (key, isTold) => {
    const found = await codesOf({ nodes: [pay("pay", { headers: { "Idempotency-Key": key } })] });
    expect(found.includes("RETRY_WITHOUT_IDEMPOTENCY")).toBe(isTold);
  });

  test.each([
    ["nextPageToken", false],
    ["csrf_token", false],
    ["accessToken", true],
    ["token", true],
  ])("the secret in %s: %s", async (name, isTold) => {
    const found = await codesOf({ nodes: [call("call", { query: { [name]: "aB3dE5gH7jK9mN1pQ3sT5" } })] });
    expect(found.includes("SECRET_IN_CONFIG")).toBe(isTold);
  });

  test("a sub-flow that nobody looked for", async () => {
    const flow = { nodes: [sub(other)] };
    expect(await codesOf(flow)).not.toContain("INACTIVE_SUBFLOW");
    expect(await codesOf({ ...flow, references: { missing: new Set([other]) } })).toContain("INACTIVE_SUBFLOW");
  });

  test("a schedule that comes every four years is found quickly", async () => {
    const began = performance.now();
    const nodes = [node("delay", "delay", { ms: 60_000 })];
    expect(await codesOf({ trigger: every("0 0 29 2 *"), nodes })).not.toContain("OVERLAPPING_SCHEDULE");
    expect(performance.now() - began).toBeLessThan(40);
  });
});
