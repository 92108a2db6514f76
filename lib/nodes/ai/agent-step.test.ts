import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/engine/json.ts";
import { type NodeBegun, type NodeContext, NodeFailure } from "../define.ts";
import { type FakeAnswer, fakeRun } from "../http-request/fake-context.ts";
import { wokenContext } from "../testing/run-alone.ts";
import { type AgentSettings, agentStep } from "./agent-step.ts";
import type { ModelAnswer, ModelRequest } from "./model-request.ts";
import { type AgentStep, conversationOf, outputOfSteps } from "./steps.ts";
import type { AgentTool } from "./tools/tool-config.ts";

const input = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const tools: readonly AgentTool[] = [
  { name: "flow", description: "", input, does: { kind: "flow", flowId: "flow_1" } },
  { name: "rows", description: "", input, does: { kind: "table", table: "orders", action: "find" } },
  {
    name: "get",
    description: "",
    input,
    does: { kind: "http", method: "GET", url: "https://api.test/o/{id}", headers: {} },
  },
  {
    name: "put",
    description: "",
    input,
    does: { kind: "http", method: "PUT", url: "https://api.test/o", headers: {} },
  },
];
const asking = {
  ...{ credential: "openai", model: "m", repairs: 1, timeout: 1_000 },
  retry: { maxRetries: 0, retryDelay: 0, backoff: "fixed" as const, maxDelay: 0 },
};
const settings: AgentSettings = {
  ...{ asking, tools, messages: [{ role: "user", text: "Go" }] },
  ...{ approval: [], approvalTimeoutMs: null, maxSteps: 20, tokenBudget: null },
};
const schema: JsonObject = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

const calling = (...calls: [name: string, input: unknown][]): ModelAnswer => ({
  parts: calls.map(([name, given]) => ({ type: "tool-call", id: "same", name, input: given })),
  usage: { inputTokens: 6, outputTokens: 4, totalTokens: 10 },
  finishReason: "tool-calls",
});
const answerWith = (text: string, finishReason: ModelAnswer["finishReason"] = "stop"): ModelAnswer => ({
  ...calling(),
  parts: [{ type: "text", text }],
  finishReason,
});

interface Run {
  readonly steps: AgentStep[];
  readonly requests: ModelRequest[];
  readonly end: "last" | "waits" | NodeFailure;
  readonly wait?: Extract<NodeBegun, { wait: unknown }>["wait"];
  readonly sent: ReturnType<typeof fakeRun>["sent"];
}

/** Runs steps until the last, or until one waits. `answers`: the model's, in order. */
async function run(
  overrides: Partial<AgentSettings>,
  answers: readonly ModelAnswer[],
  { earlier = [], http = [{}], ...context }: Partial<NodeContext> & { earlier?: AgentStep[]; http?: FakeAnswer[] } = {},
): Promise<Run> {
  const steps = [...earlier];
  const requests: ModelRequest[] = [];
  const fake = fakeRun(http, {});
  const generate = async (request: ModelRequest) => {
    const answer = answers[Math.min(requests.push(structuredClone(request)), answers.length) - 1];
    if (answer === undefined) throw new Error("the model was not to be asked");
    return answer;
  };
  const parts = { steps, requests, sent: fake.sent };
  for (;;) {
    const place = { index: steps.length, item: { ...settings, ...overrides }, earlier: [...steps] };
    const stepId = `agent␟${steps.length}`;
    try {
      const begun = await agentStep.run({}, { ...fake.context, generate, ...context, place, stepId });
      if ("wait" in begun) return { ...parts, end: "waits", wait: begun.wait };
      if (!("output" in begun)) throw new Error("a step has no items");
      steps.push(begun.output as AgentStep);
      if (begun.handle !== undefined) return { ...parts, end: "last" };
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      return { ...parts, end: error };
    }
  }
}

const kinds = ({ steps }: Run) => steps.map(({ kind }) => kind);
const codeOf = ({ end }: Run) => (end instanceof NodeFailure ? end.code : end);

test("answers at once if no tool is needed", async () => {
  const ended = await run({}, [answerWith("done")]);
  expect([ended.end, kinds(ended)]).toEqual(["last", ["model"]]);
  expect(outputOfSteps(ended.steps)).toMatchObject({ text: "done", object: null, usage: { totalTokens: 10 } });
  expect(ended.requests[0]?.tools?.map(({ name }) => name)).toEqual(["flow", "rows", "get", "put"]);
});

test("makes each call a step, and returns the results to the model in order", async () => {
  const table = async () => ({ rows: [{ id: 1 }], count: 1 });
  const answers = [calling(["rows", { id: "x" }], ["get", { id: "a/b", q: 1 }]), answerWith("done")];
  const ended = await run({}, answers, {
    table,
    http: [{ headers: { "content-type": "application/json" }, body: "[7]" }],
  });
  expect(kinds(ended)).toEqual(["model", "tool", "tool", "model"]);
  expect(ended.sent[0]?.url).toBe("https://api.test/o/a%2Fb?q=1");
  const [, assistant, results] = ended.requests[1]?.messages ?? [];
  expect(assistant).toMatchObject({ role: "assistant", parts: [{ id: "call_0_0" }, { id: "call_0_1" }] });
  expect(results).toEqual({
    role: "tool",
    results: [
      { id: "call_0_0", name: "rows", output: { rows: [{ id: 1 }], count: 1 } },
      { id: "call_0_1", name: "get", output: { status: 200, body: [7] } },
    ],
  });
});

test("sends a model's objects in a query as JSON, and any text in the URL", async () => {
  const answers = [calling(["get", { id: "a\ud800", filter: { a: 1 }, tags: ["x", { b: 2 }] }]), answerWith("done")];
  const { sent, end } = await run({}, answers);
  expect(end).toBe("last");
  expect(sent[0]?.url).toBe(
    `https://api.test/o/a%EF%BF%BD?filter=${encodeURIComponent('{"a":1}')}&tags=x&tags=${encodeURIComponent('{"b":2}')}`,
  );
});

test("each step sends its own idempotency key", async () => {
  const answers = [calling(["put", { id: "x" }], ["put", { id: "y" }]), answerWith("done")];
  const { sent } = await run({}, answers);
  const keys = sent.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(2);
  expect(sent.map(({ body }) => body)).toEqual(['{"id":"x"}', '{"id":"y"}']);
});

test("a flow is awaited, and its failure reported", async () => {
  const begun = await run({}, [calling(["flow", { id: "x" }])], { startFlow: async () => "exec_2" });
  expect([begun.end, begun.wait?.kind, begun.wait?.state.executionId]).toEqual(["waits", "execution", "exec_2"]);
  if (begun.wait === undefined) return;
  const wake = (value: unknown) =>
    agentStep.resume?.(begun.wait as never, { by: "execution", at: "", value }, wokenContext);
  expect(wake({ status: "completed", output: 7 })).toMatchObject({ output: { kind: "tool", output: 7 } });
  expect(wake({ status: "failed", error: "boom" })).toMatchObject({
    output: { output: { error: { code: "SUB_FLOW_FAILED", message: "The flow ended as failed: boom" } } },
  });
});

test("the model gets failures of tools, unknown tools and invalid input", async () => {
  const table = () => Promise.reject(new NodeFailure("TABLE_NOT_FOUND", "no table"));
  const answers = [
    calling(["rows", { id: "x" }], ["none", {}], ["get", { id: 1 }], ["get", "{broken"]),
    calling(["get", { id: ".." }]),
    answerWith("done"),
  ];
  const ended = await run({}, answers, { table });
  expect(ended.end).toBe("last");
  expect(ended.sent).toEqual([]);
  const messages = JSON.stringify(ended.requests[2]?.messages);
  for (const word of ["TABLE_NOT_FOUND", "no tool named none", "does not fit", "not a JSON object", "BAD_URL"]) {
    expect(messages).toContain(word);
  }
});

test("a tool's result is truncated for the model", async () => {
  const table = async () => ({ rows: ["x".repeat(3_000_000)], count: 1 });
  const ended = await run({}, [calling(["rows", { id: "x" }]), answerWith("done")], { table });
  const messages = JSON.stringify(ended.requests[1]?.messages);
  expect(messages.length).toBeLessThan(250_000);
  expect(messages).toContain("(cut: 30000");
});

test("of too many calls at once, only some are performed", async () => {
  const many = Array.from({ length: 40 }, (): [string, unknown] => ["rows", { id: "x" }]);
  let done = 0;
  const table = async () => ({ rows: [], count: ++done });
  const ended = await run({}, [calling(...many), answerWith("done")], { table });
  expect([ended.end, done]).toEqual(["last", 16]);
});

describe("an answer with a schema", () => {
  test("is a tool call, and an invalid one is requested again", async () => {
    const answers = [calling(["final_answer", { n: "x" }]), calling(["final_answer", { n: 1 }])];
    const ended = await run({ asking: { ...asking, output: schema } }, answers);
    expect(ended.end).toBe("last");
    expect(outputOfSteps(ended.steps).object).toEqual({ n: 1 });
    expect(ended.requests[0]?.system).toContain("final_answer");
    expect(JSON.stringify(ended.requests[1]?.messages)).toContain("does not fit the tool's schema: n");
  });

  test("may be text, and fails when its repairs are used up", async () => {
    const requests = { asking: { ...asking, output: schema } };
    expect(outputOfSteps((await run(requests, [answerWith('{"n": 2}')])).steps).object).toEqual({ n: 2 });
    const ended = await run(requests, [answerWith("no")]);
    expect([codeOf(ended), ended.requests.length]).toEqual(["MODEL_OUTPUT", 2]);
    expect(codeOf(await run(requests, [calling(["final_answer", {}])]))).toBe("MODEL_OUTPUT");
    expect(codeOf(await run(requests, [answerWith('{"n', "length")]))).toBe("MODEL_OUTPUT");
    expect(codeOf(await run({}, [answerWith("", "content-filter")]))).toBe("MODEL_REFUSED");
  });
});

test("a model that calls forever is stopped", async () => {
  const table = async () => ({ rows: [], count: 0 });
  const ended = await run({ maxSteps: 4 }, [calling(["rows", { id: "x" }])], { table });
  expect([codeOf(ended), ended.requests.length]).toEqual(["AGENT_STEPS", 4]);
});

test("no request is sent that would exceed the budget", async () => {
  const table = async () => ({ rows: [], count: 0 });
  const ended = await run({ tokenBudget: 100 }, [calling(["rows", { id: "x" }])], { table });
  expect(codeOf(ended)).toBe("AGENT_BUDGET");
  expect(outputOfSteps(ended.steps).usage.totalTokens).toBeLessThan(100);
  expect(ended.requests.every(({ maxTokens = 0 }) => maxTokens > 0 && maxTokens < 100)).toBe(true);
  const none = await run({ tokenBudget: 5 }, []);
  expect([codeOf(none), none.requests.length]).toEqual(["AGENT_BUDGET", 0]);
  expect(codeOf(await run({ tokenBudget: 100 }, [answerWith("cut", "length")]))).toBe("AGENT_BUDGET");
});

describe("a call that needs approval", () => {
  const approval = { approval: ["rows"] };
  const table = async () => ({ rows: [], count: 3 });

  test("waits, and is performed when approved, only that call", async () => {
    const waiting = await run(approval, [calling(["rows", { id: "x" }], ["rows", { id: "y" }])], { table });
    expect([waiting.end, waiting.wait?.kind]).toEqual(["waits", "call"]);
    expect(JSON.stringify(waiting.wait?.state.form)).toContain("May the agent use rows?");
    const wake = { by: "call" as const, at: "", value: { body: { action: "approve", note: null } } };
    const result = agentStep.resume?.(waiting.wait as never, wake, wokenContext) as { output: AgentStep };
    expect(result.output).toMatchObject({ kind: "approval", isApproved: true });
    const next = await run(approval, [], { table, earlier: [...waiting.steps, result.output] });
    expect([kinds(next), next.end]).toEqual([["model", "approval", "tool"], "waits"]);
  });

  test.each([
    [{ by: "call" as const, at: "", value: { body: { action: "refuse", note: "too dear" } } }, "too dear"],
    [{ by: "call" as const, at: "", value: { body: "approve" } }, "refused"],
    [{ by: "time" as const, at: "", value: null }, "nobody answered in time"],
  ])("is not done otherwise: %j", async (wake, note) => {
    const waiting = await run(approval, [calling(["rows", { id: "x" }])]);
    const result = agentStep.resume?.(waiting.wait as never, wake, wokenContext) as { output: AgentStep };
    const steps = [...waiting.steps, result.output];
    const next = await run(approval, [answerWith("done")], { earlier: steps });
    expect(kinds(next)).toEqual(["model", "approval", "model"]);
    expect(JSON.stringify(conversationOf([], steps))).toContain(note);
  });
});
