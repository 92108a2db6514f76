// How a run ends when one thing goes wrong: each fault, and what handles it.
import { afterAll, describe, expect, test } from "vitest";
import { type Fault, faults } from "#lib/engine/faults.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { definitionOf, edge, node } from "#lib/engine/testing/flows.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { faultsOf } from "./injected-fault.ts";
import { prepareReplay } from "./prepare.ts";
import type { Recording } from "./recording.ts";
import { rehearse } from "./rehearse.ts";
import { emptyTrigger, replayFlow } from "./replay.ts";

const sandbox = createSandbox({ children: 1 });
afterAll(() => sandbox.close());

const transform = (id: string, text: string, config = {}) => node(id, "transform", { transform: text, ...config });
const pay = (config: JsonObject = {}) =>
  node("pay", "http-request", { method: "POST", url: "https://api.test/", body: { amount: 42 }, ...config });
const answer = (body: unknown): Recording => ({ output: { status: 200, headers: {}, body } });

interface Given {
  readonly nodes: readonly FlowNode[];
  readonly edges?: readonly string[];
  readonly recordings?: Readonly<Record<string, Recording>>;
  /** Sub-flows to replay, by id. */
  readonly flows?: Readonly<Record<string, readonly FlowNode[]>>;
}

async function caseOf(
  { nodes, edges = [], recordings = { pay: answer({ id: 17 }) }, flows }: Given,
  fault: Fault,
  id = "pay",
) {
  const flow = prepareReplay(
    definitionOf(
      nodes,
      edges.map((arrow) => edge(arrow)),
    ),
  );
  const deep = flows !== undefined;
  const input = { trigger: emptyTrigger, now: "2026-01-31T10:00:00.000Z", recordings, deep };
  const findFlow = async (flowId: string) => {
    const found = flows?.[flowId];
    return found === undefined ? null : { name: flowId, flow: prepareReplay(definitionOf(found, [])) };
  };
  const context = { flowName: "Test", sandbox, owner: "ws", findFlow };
  const base = await replayFlow(flow, input, context, null);
  const rehearsed = await rehearse(flow, input, context, base, { nodeId: id, fault });
  // It is deterministic.
  expect(await rehearse(flow, input, context, base, { nodeId: id, fault })).toEqual(rehearsed);
  return rehearsed;
}

const plain: Given = { nodes: [pay(), transform("id", "$node.output.body.id")], edges: ["pay -> id"] };
const retrying: Given = {
  ...plain,
  nodes: [pay({ retry: { maxRetries: 1 } }), transform("id", "$node.output.body.id")],
};
const caught: Given = {
  nodes: [pay(), transform("id", "$node.output.body.id"), transform("sorry", "$node.output.error.code")],
  edges: ["pay -> id", "pay:error -> sorry"],
};
const goingOn: Given = { ...plain, nodes: [pay({ onError: "continue" }), transform("id", "$node.output.error?.code")] };

const failing: [Fault, code: string][] = [
  ["no-answer", "CONNECT_FAILED"],
  ["timeout", "TIMEOUT"],
  ["status-500", "HTTP_STATUS"],
  ["status-429", "HTTP_STATUS"],
];

describe("a request that fails", () => {
  test.each(failing)("with %s fails the run if nothing catches it", async (fault, code) => {
    const rehearsed = await caseOf(plain, fault);
    expect(rehearsed).toMatchObject({
      nodeId: "pay",
      fault,
      status: "failed",
      answer: null,
      handled: false,
      repeatedEffects: [],
      attempts: 1,
    });
    expect(rehearsed.note).toContain(code);
  });

  test.each(failing)("with %s is handled by an error edge, and by onError", async (fault, code) => {
    const edged = await caseOf(caught, fault);
    expect(edged).toMatchObject({ status: "completed", answer: code, handled: true, attempts: 1 });
    expect(edged.note).toContain("Its error edge caught that. The answer differs.");
    const result = await caseOf(goingOn, fault);
    expect(result).toMatchObject({ status: "completed", answer: code, handled: true, attempts: 1 });
    expect(result.note).toContain("onError caught that.");
  });

  test.each(failing)("with %s is handled by a retry, which may repeat the receiver's effect", async (fault) => {
    const rehearsed = await caseOf(retrying, fault);
    expect(rehearsed).toMatchObject({ status: "completed", answer: 17, handled: true, attempts: 2 });
    expect(rehearsed.repeatedEffects).toEqual(["timeout", "status-500"].includes(fault) ? ["pay"] : []);
    expect(rehearsed.note).toBe("It succeeded at attempt 2. The answer is the same.");
    const reading = {
      ...retrying,
      nodes: [pay({ method: "GET", body: null, retry: { maxRetries: 1 } }), retrying.nodes[1] as FlowNode],
    };
    expect((await caseOf(reading, fault)).repeatedEffects).toEqual([]);
  });
});

describe("an answer that is not what it should be", () => {
  test("that is not JSON reaches the nodes after it as text", async () => {
    const text = await caseOf({ ...plain, nodes: [pay(), transform("id", "$node.output.body")] }, "bad-json");
    expect(text).toMatchObject({ status: "completed", answer: '{"cut": "off', handled: false, attempts: 1 });
    expect(text.note).toBe("It continued with text instead of JSON. The answer differs.");
    const breaking = { ...plain, nodes: [pay(), transform("id", "$node.output.body.id.toFixed()")] };
    const broken = await caseOf(breaking, "bad-json");
    expect(broken).toMatchObject({ status: "failed", handled: false });
    expect(broken.note).toContain('"id" failed with EXPRESSION_FAILED');
  });

  test("that is empty is null", async () => {
    expect(await caseOf({ ...plain, nodes: [pay(), transform("id", "$node.output.body")] }, "empty")).toMatchObject({
      status: "completed",
      answer: null,
      handled: false,
    });
    const nodes = [pay(), transform("id", "$node.output.body.id"), transform("sorry", "1")];
    const late = await caseOf({ nodes, edges: ["pay -> id", "id:error -> sorry"] }, "empty");
    expect(late).toMatchObject({ status: "completed", answer: 1, handled: true });
  });
});

describe("a process that dies", () => {
  test("before the effect leaves it to the next one", async () => {
    expect(await caseOf(plain, "killed-before")).toEqual({
      nodeId: "pay",
      fault: "killed-before",
      status: "completed",
      answer: 17,
      handled: true,
      repeatedEffects: [],
      attempts: 2,
      note: "The process died before the node acted; the next one did it, once. The answer is the same.",
    });
  });

  test("after the effect repeats it with the same key", async () => {
    const rehearsed = await caseOf(plain, "killed-after");
    expect(rehearsed).toMatchObject({ status: "completed", handled: true, repeatedEffects: ["pay"], attempts: 2 });
    expect(rehearsed.note).toContain("with the same Idempotency-Key");
  });

  test("after the effect cannot be detected if the flow sends no key", async () => {
    const own = pay({ headers: { "Idempotency-Key": "{{ $execution.id }}" } });
    expect((await caseOf({ nodes: [own] }, "killed-after")).note).toContain("with the same Idempotency-Key");
    const none = pay({ headers: { "Idempotency-Key": "" } });
    const rehearsed = await caseOf({ nodes: [none] }, "killed-after");
    expect(rehearsed.repeatedEffects).toEqual(["pay"]);
    expect(rehearsed.note).toContain("without an Idempotency-Key");
    expect(rehearsed).toMatchObject({ status: "completed", handled: false, repeatedEffects: ["pay"] });
  });

  test("names the other writes in progress, which may be repeated as well", async () => {
    const other = (config: JsonObject = {}) =>
      node("other", "http-request", { method: "POST", url: "https://api.test/other", ...config });
    const late = node("late", "http-request", { method: "POST", url: "https://api.test/late" });
    const read = node("read", "http-request", { url: "https://api.test/read" });
    const recordings = Object.fromEntries(["pay", "other", "late", "read"].map((id) => [id, answer({ id: 1 })]));
    for (const nodes of [
      [pay(), other(), read, late],
      [other(), read, pay(), late],
    ]) {
      const flow = { nodes, edges: ["pay -> late"], recordings };
      const after = await caseOf(flow, "killed-after");
      expect(after).toMatchObject({ status: "completed", handled: true, repeatedEffects: ["pay", "other"] });
      expect(after.note).toContain('At the same time "other" may have been sent, and may be sent again.');
      expect((await caseOf(flow, "killed-before")).repeatedEffects).toEqual(["other"]);
      expect((await caseOf(flow, "timeout")).repeatedEffects).toEqual([]);
    }
    const blind = [pay(), other({ headers: { "Idempotency-Key": "" } })];
    const rehearsed = await caseOf({ nodes: blind, recordings }, "killed-after");
    expect(rehearsed).toMatchObject({ handled: false, repeatedEffects: ["pay", "other"] });
  });

  test("repeats no earlier effect and no read", async () => {
    const nodes = [
      node("first", "http-request", { method: "POST", url: "https://api.test/1" }),
      pay({ method: "GET", body: null }),
    ];
    const recordings = { first: { sequence: [{ output: 1 }, { output: 2 }] }, pay: answer({ id: 17 }) };
    const rehearsed = await caseOf({ nodes, edges: ["first -> pay"], recordings }, "killed-after");
    expect(rehearsed).toMatchObject({ status: "completed", repeatedEffects: [], attempts: 2 });
    const merged = [...nodes, transform("both", "[$nodes.first.output, $nodes.pay.output.body.id]")];
    const beside = await caseOf({ nodes: merged, edges: ["first -> both", "pay -> both"], recordings }, "killed-after");
    expect(beside.answer).toEqual([1, 17]);
  });

  test("resumes waits and loops where they were", async () => {
    const body = { nodes: [{ ...pay({ body: "{{ $item }}" }) }] as unknown as JsonObject[], edges: [] };
    const nodes = [node("ask", "wait", {}), node("loop", "loop", { items: "{{ [1, 2, 3] }}", body })];
    const sequence = [answer(1), answer(2), answer(3)].map((item) => item as { output: unknown });
    const recordings = {
      ask: { output: { body: "yes", resumedAt: "2026-01-31T11:00:00.000Z", resumedBy: null } },
      pay: { sequence },
    };
    const rehearsed = await caseOf({ nodes, edges: ["ask -> loop"], recordings }, "killed-after");
    expect(rehearsed).toMatchObject({ status: "completed", repeatedEffects: ["pay"], attempts: 2 });
    expect((rehearsed.answer as { body: number }[]).map(({ body: n }) => n)).toEqual([1, 2, 3]);
  });

  test("starts no sub-flow twice", async () => {
    const nodes = [node("pay", "sub-flow", { flowId: "flow_x" })];
    const recordings = { pay: { output: { executionId: "exec_x", status: "completed", output: 5 } } };
    const rehearsed = await caseOf({ nodes, recordings }, "killed-after");
    expect(rehearsed).toMatchObject({ status: "completed", handled: true, repeatedEffects: [], attempts: 2 });
    expect(rehearsed.note).toContain("started no other");
    expect(await caseOf({ nodes, recordings }, "timeout")).toMatchObject({ status: "failed", handled: false });
    expect((await caseOf({ nodes, recordings }, "empty")).answer).toMatchObject({ output: null });
  });
});

describe("a rehearsal", () => {
  test("says if the run does not reach the node", async () => {
    const nodes = [node("if", "if-else", { condition: "1 > 2" }), pay()];
    expect(await caseOf({ nodes, edges: ["if:true -> pay"] }, "timeout")).toMatchObject({
      status: "completed",
      handled: false,
      attempts: 0,
      note: "The run does not reach this node: nothing went wrong.",
    });
  });

  test("assumes that unrecorded nodes on a failure path succeed, and says so", async () => {
    const tell = node("tell", "http-request", { method: "POST", url: "https://alerts.test/" });
    const rehearsed = await caseOf({ nodes: [pay(), tell], edges: ["pay:error -> tell"] }, "timeout");
    expect(rehearsed).toMatchObject({ status: "completed", handled: true });
    expect(rehearsed.note).toContain('Nothing is recorded for "tell": it was assumed to succeed.');
  });

  test("assumes that an unrecorded sub-flow on a failure path succeeds, and replays others", async () => {
    const sub = (flowId: string) => node("sub", "sub-flow", { flowId });
    const nodes = (flowId: string) => [pay(), sub(flowId), transform("said", "$nodes.sub.output.output")];
    const edges = ["pay:error -> sub", "sub -> said"];
    const flows = { tells: [pay({ url: "https://alerts.test/" })], computes: [transform("two", "1 + 1")] };
    const reported = await caseOf({ nodes: nodes("tells"), edges, flows }, "timeout");
    expect(reported).toMatchObject({ status: "completed", handled: true, answer: null });
    expect(reported.note).toContain('Nothing is recorded for "sub": it was assumed to succeed.');
    const computed = await caseOf({ nodes: nodes("computes"), edges, flows }, "timeout");
    expect(computed).toMatchObject({ status: "completed", handled: true, answer: 2 });
  });

  test("assumes that every key is new, and that an event has no data, if nothing is recorded", async () => {
    const fresh = node("fresh", "batch", { items: "[1, 1, 2]", dedupe: {} });
    const told = node("told", "wait-for", { key: "told" });
    const rehearsed = await caseOf(
      { nodes: [pay(), fresh, told], edges: ["pay:error -> fresh", "fresh -> told"] },
      "timeout",
    );
    expect(rehearsed).toMatchObject({ status: "completed", handled: true, answer: null });
    expect(rehearsed.note).toContain('Nothing is recorded for "fresh", "told": it was assumed to succeed.');
  });

  test("applies to nodes that act outside of their run and are not disabled", () => {
    expect(faultsOf(pay())).toEqual([...faults]);
    expect(faultsOf({ ...pay(), disabled: true })).toEqual([]);
    expect(faultsOf(transform("a", "1"))).toEqual([]);
    expect(faultsOf(node("wait", "wait", {}))).toEqual([]);
    for (const type of ["table", "batch", "rate-limit", "wait-for", "crypto"])
      expect(faultsOf(node(type, type, {}))).toEqual([]);
    expect(faultsOf(node("sub", "sub-flow", {}))).toEqual(["timeout", "empty", "killed-before", "killed-after"]);
    // Nobody waits for its end.
    expect(faultsOf(node("sub", "sub-flow", { wait: false }))).toEqual(["killed-before", "killed-after"]);
  });
});
