// Tests made from real runs, with an outbound client that counts requests.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import {
  createFlowTest as createFlowTestEndpoint,
  runFlowTests as runEndpoint,
} from "#lib/contract/flows/flow-tests.ts";
import type { FlowEdge, FlowNode } from "#lib/engine/flow.ts";
import { edge, node } from "#lib/engine/testing/flows.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import type { Outside } from "#lib/executions/nodes/node-context.ts";
import { readExecution } from "#lib/executions/read-execution.ts";
import { storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { duplicateFlow, importFlow } from "#lib/flows/copy-flow.ts";
import { exportFlow } from "#lib/flows/export-flow.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import type { OutboundAnswer } from "#lib/nodes/http-request/outbound-request.ts";
import { database } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { driveRun } from "#lib/runtime/drive/drive-run.ts";
import { claimRuns } from "#lib/runtime/embedded/claim-runs.ts";
import { createSandbox } from "#lib/sandbox/sandbox.ts";
import { createFlowTest, deleteFlowTest, listFlowTests, updateFlowTest } from "./flow-tests.ts";
import { acceptFlowTest, runFlowTests } from "./run-tests.ts";

let actor: Actor;
let sent = 0;
const sandbox = createSandbox({ children: 2 });
const answers: Record<string, (call: number) => OutboundAnswer> = {
  "https://api.test/": (call) => json({ id: call, at: Math.random() }),
  "https://api.test/gone": () => ({ status: 404, headers: {}, body: Buffer.from("no") }),
  "https://api.test/late": (call) =>
    call % 2 === 1 ? { status: 503, headers: {}, body: Buffer.from("") } : json("ok"),
};
const json = (value: unknown): OutboundAnswer => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value)),
});

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  const outbound = {
    send: async ({ url }: { url: string }) => {
      sent += 1;
      return answers[url]?.(sent) ?? json(null);
    },
  } as unknown as Outside["outbound"];
  singleton("outside", () => ({ sandbox, outbound }));
  runSignals().sandbox = () => sandbox;
});
afterAll(() => sandbox.close());

const transform = (id: string, text: string, config = {}) => node(id, "transform", { transform: text, ...config });
const call = (id: string, path = "", config = {}) =>
  node(id, "http-request", { method: "POST", url: `https://api.test/${path}`, ...config });

/** Stores a flow, runs it once and returns both ids. */
async function endedRun(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []) {
  const flow = await storedFlow(actor, nodes, edges);
  const executionId = await storedExecution(flow);
  const claim = (await claimRuns(100)).find(({ run }) => run.id === executionId);
  if (claim === undefined) throw new Error("the run was not taken");
  await driveRun(claim.run, claim.recorded, Number.MAX_SAFE_INTEGER);
  return { flowId: flow.id, executionId };
}

const run = async (flowId: string, body = {}) =>
  runEndpoint.answer.parse(await runFlowTests(actor, flowId, runEndpoint.body.parse(body)));
const make = async (flowId: string, body: object) =>
  (await createFlowTest(actor, flowId, createFlowTestEndpoint.body.parse(body))).payload;

const loopOf = (config: object) => ({
  items: "{{ [1, 2, 3, 4, 5, 6] }}",
  concurrency: 3,
  body: {
    nodes: [
      { id: "ship", type: "http-request", config: { method: "POST", url: "https://api.test/", body: "{{ $item }}" } },
      { id: "number", type: "transform", config: { transform: "[$nodes.ship.output.body.id, Math.random()]" } },
    ],
    edges: [{ source: "ship", target: "number" }],
  },
  ...config,
});

const flows: [string, readonly FlowNode[], readonly FlowEdge[]][] = [
  ["a call", [call("pay"), transform("id", "$node.output.body.at + Math.random() + Date.now()")], [edge("pay -> id")]],
  ["a loop", [node("loop", "loop", loopOf({}))], []],
  [
    "a loop that collects",
    [node("loop", "loop", loopOf({ items: "{{ [1, { a: 1 }] }}", onItemError: "collect" }))],
    [],
  ],
  ["a failure", [transform("breaks", "$trigger.body.missing.x"), transform("never", "1")], [edge("breaks -> never")]],
  [
    "a failure that is caught",
    [call("gone", "gone"), transform("why", "$node.output.error"), transform("not", "1")],
    [edge("gone:error -> why"), edge("gone -> not")],
  ],
  [
    "a failure that goes on",
    [call("gone", "gone", { onError: "continue" }), transform("why", "$node.output.error.code")],
    [edge("gone -> why")],
  ],
  ["retries", [call("late", "late", { retry: { maxRetries: 5, retryDelay: 0 } })], []],
  [
    "a delay",
    [node("delay", "delay", { ms: 20 }), transform("at", "$execution.id + $execution.startedAt")],
    [edge("delay -> at")],
  ],
  [
    "a time limit",
    [node("wait", "wait", { timeoutMs: 20 }), transform("late", "$node.output")],
    [edge("wait:timeout -> late")],
  ],
  [
    "a time limit that fails",
    [node("wait", "wait", { timeoutMs: 20 }), transform("never", "1")],
    [edge("wait -> never")],
  ],
  ["a stop beside a call", [call("pay"), node("stop", "stop", { status: "failed", message: "enough" })], []],
  ["a stop that gives a wait up", [node("wait", "wait", {}), node("stop", "stop", { output: { done: true } })], []],
  [
    "a failure beside a call",
    [call("pay"), transform("after", "1"), transform("breaks", "$trigger.body.missing.x")],
    [edge("pay -> after")],
  ],
  [
    "branches",
    [node("if", "if-else", { condition: "1 > 2" }), transform("yes", "1"), transform("no", "2")],
    [edge("if:true -> yes"), edge("if:false -> no")],
  ],
  [
    "code and an answer",
    [node("code", "code", { code: "return [Math.random(), new Date()]" }), node("say", "respond", { status: 201 })],
    [edge("code -> say")],
  ],
];

describe("a test from a run", () => {
  test.each(flows)("with %s passes repeatedly", async (_, nodes, edges) => {
    const { flowId, executionId } = await endedRun(nodes, edges);
    const before = sent;
    const made = await make(flowId, { fromExecutionId: executionId });
    expect(made.name).toMatch(/^Run of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/);
    const { status } = await readExecution(actor, executionId, { includeLogs: false, includeNodeOutputs: false });
    expect((made.expect as { status: string }).status).toBe(status);
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await run(flowId)).toMatchObject({ passed: 1, failed: 0, results: [{ problems: [], notRecorded: [] }] });
    }
    expect(sent).toBe(before);
  });

  test("reports one changed constant by its node, and both values", async () => {
    const nodes = [
      call("pay", "", { body: { amount: 42 } }),
      transform("sum", "$node.output.body.id * 0 + 1"),
      node("note", "log", { message: "done" }),
    ];
    const edges = [edge("pay -> sum"), edge("sum -> note")];
    const { flowId, executionId } = await endedRun(nodes, edges);
    await make(flowId, { fromExecutionId: executionId });
    const changed = async (index: number, config: FlowNode["config"]) => {
      const definition = { nodes: nodes.map((item, at) => (at === index ? { ...item, config } : item)), edges };
      return (await run(flowId, { definition })).results[0]?.problems[0];
    };
    const pay = nodes[0]?.config ?? {};
    expect(await changed(0, { ...pay, body: { amount: 43 } })).toMatchObject({
      path: "nodes.pay.request.body.amount",
      nodeId: "pay",
      expected: 42,
      actual: 43,
    });
    expect(await changed(1, { transform: "$node.output.body.id * 0 + 2" })).toMatchObject({
      path: "nodes.sum.output",
      nodeId: "sum",
      expected: 1,
      actual: 2,
    });
    expect(await changed(2, { message: "DONE" })).toMatchObject({ path: "nodes.note.request.message", nodeId: "note" });
    expect(await changed(0, { ...pay, url: "https://api.test/other" })).toMatchObject({
      path: "nodes.pay.request.url",
    });
  });

  test("updates its expectation when its result is accepted, without adding parts", async () => {
    const { flowId, executionId } = await endedRun([transform("a", "1"), transform("gone", "2")], [edge("a -> gone")]);
    const { id } = await make(flowId, { fromExecutionId: executionId });
    const definition = { nodes: [transform("a", "7")], edges: [], variables: {} };
    const accept = (ifMatch: string | null = null) => acceptFlowTest(actor, flowId, id, { definition }, ifMatch);
    expect(await run(flowId, { definition })).toMatchObject({ failed: 1 });
    await expect(accept('"7"')).rejects.toMatchObject({ code: "CONFLICT" });
    const { payload } = await accept();
    expect(payload.expect).toEqual({
      status: "completed",
      output: 7,
      nodes: { a: { status: "completed", output: 7 } },
    });
    expect(await run(flowId, { definition })).toMatchObject({ passed: 1 });
    const small = await make(flowId, { name: "Small", expect: { status: "failed", ignore: ["output.at"] } });
    const { payload: stored } = await acceptFlowTest(actor, flowId, small.id, {}, null);
    expect(stored.expect).toEqual({ status: "completed", ignore: ["output.at"] });
    const calling = { definition: { nodes: [call("new")], edges: [], variables: {} } };
    await expect(acceptFlowTest(actor, flowId, id, calling, null)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("keeps its last result on a stored version until it is changed", async () => {
    const { flowId, executionId } = await endedRun([transform("a", "1")]);
    const { id } = await make(flowId, { fromExecutionId: executionId, name: "One" });
    await run(flowId, { definition: { nodes: [transform("a", "2")] } });
    expect((await listFlowTests(actor, flowId, { page: 1, limit: 20 })).items[0]?.lastResult).toBeNull();
    await run(flowId, { version: 1 });
    expect((await listFlowTests(actor, flowId, { page: 1, limit: 20 })).items[0]?.lastResult).toMatchObject({
      status: "passed",
      version: 1,
    });
    const changed = await updateFlowTest(actor, flowId, id, { expect: { status: "completed", output: 2 } }, '"1"');
    expect([changed.payload.lastResult, changed.headers.etag]).toEqual([null, '"2"']);
    await expect(updateFlowTest(actor, flowId, id, { name: "x" }, '"1"')).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(deleteFlowTest(actor, flowId, id, '"1"')).rejects.toMatchObject({ code: "CONFLICT" });
    await deleteFlowTest(actor, flowId, id, '"2"');
    const actions = (await database().auditEntry.findMany({ where: { subjectId: id } })).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(["flow_test.created", "flow_test.deleted", "flow_test.updated"]);
  });

  test("also needs the scope for runs, and takes only this flow's runs", async () => {
    const { flowId, executionId } = await endedRun([transform("a", "1")]);
    const other = await storedFlow(actor, [transform("a", "1")]);
    const blind = { ...actor, scopes: new Set(["flows:read", "tests:write"] as const) };
    const given = { fromExecutionId: executionId };
    await expect(createFlowTest(blind, flowId, given)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(createFlowTest(actor, other.id, given)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(createFlowTest(await newActor(), flowId, given)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("tests of a flow", () => {
  test("are at most 100, even if the last are created concurrently, and at most 1 MiB each", async () => {
    const { id } = await storedFlow(actor, [transform("a", "1")]);
    for (let count = 0; count < 98; count += 1) await make(id, { name: `Test ${count}` });
    const last = await Promise.allSettled(Array.from({ length: 5 }, () => make(id, { name: "Last" })));
    expect(last.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect((await listFlowTests(actor, id, { page: 1, limit: 1 })).total).toBe(100);
    const { id: empty } = await storedFlow(actor);
    const large = { name: "Large", trigger: { body: "x".repeat(1_048_576) } };
    await expect(make(empty, large)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await run(id)).toMatchObject({ passed: 100 });
  });

  test("are included in export, import and duplicate", async () => {
    const { id } = await storedFlow(actor, [transform("a", "$trigger.body.n")]);
    await make(id, { name: "One", trigger: { body: { n: "\u0000\ud800" } }, expect: { output: "\u0000\ud800" } });
    await make(id, { name: "Two", trigger: { body: { n: 2 } }, expect: { output: 3 } });
    const copy = await duplicateFlow(actor, id, { includeVariables: true, includeConnections: true });
    expect(await run(copy.id)).toMatchObject({ passed: 1, failed: 1, results: [{ name: "One" }, { name: "Two" }] });
    const { tests = [], flow } = await exportFlow(actor, id, { includeVariables: true });
    const data = { version: "1.0.0", flow: { ...flow, tags: [], variables: {} }, tests };
    const imported = await importFlow(actor, { data, overwriteVariables: true } as Parameters<typeof importFlow>[1]);
    expect(await run(imported.id)).toMatchObject({ passed: 1, failed: 1 });
  });

  test("prevent activation and changes of an active flow, if the flow requires them", async () => {
    const { id } = await storedFlow(actor, [transform("a", "1")]);
    const { id: testId } = await make(id, { name: "Two", expect: { output: 2 } });
    const change = (changes: Parameters<typeof updateFlow>[2]) => updateFlow(actor, id, changes, null);
    await change({ settings: { tests: { requiredToActivate: true } } });
    const refusal = { code: "VALIDATION_ERROR", details: { [`tests.${testId}`]: expect.stringContaining("output") } };
    await expect(change({ status: "active" })).rejects.toMatchObject(refusal);
    await change({ status: "active", nodes: [transform("a", "2")] });
    await expect(change({ nodes: [transform("a", "3")] })).rejects.toMatchObject(refusal);
    await change({ name: "Renamed" });
    await change({ nodes: [transform("a", "3")], settings: null });
  });
});
