import { describe, expect, test } from "vitest";
import { NodeFailure } from "../define.ts";
import { fakeRun } from "../http-request/fake-context.ts";
import { findConfigProblems } from "../registry.ts";
import { ai } from "./ai.ts";
import type { ModelAnswer, ModelRequest } from "./model-request.ts";

const config = { credential: "openai", model: "gpt-5-mini", prompt: "?" };
const output = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };

const answerWith = (text: string, finishReason: ModelAnswer["finishReason"] = "stop"): ModelAnswer => ({
  parts: [{ type: "text", text }],
  usage,
  finishReason,
});

/** Runs the node. `answers`: the model's, in order; the last one repeats. */
async function run(given: object, ...answers: (ModelAnswer | NodeFailure)[]) {
  const requests: ModelRequest[] = [];
  const fake = fakeRun([], { type: "openai" });
  const generate = async (request: ModelRequest) => {
    const answer = answers[Math.min(requests.push(structuredClone(request)), answers.length) - 1] ?? answerWith("yes");
    if (answer instanceof NodeFailure) throw answer;
    return answer;
  };
  const parsed = ai.config.parse({ ...config, ...given });
  const result = await Promise.resolve(ai.run(parsed, { ...fake.context, generate })).catch((error) => error);
  return { result, requests };
}

test("sends its prompt, and returns the model's answer", async () => {
  const { result, requests } = await run({ system: "Be short.", temperature: 0, maxTokens: 9 });
  expect(result).toEqual({ output: { text: "yes", object: null, usage, finishReason: "stop" } });
  expect(requests).toEqual([
    expect.objectContaining({
      ...{ model: "gpt-5-mini", system: "Be short.", temperature: 0, maxTokens: 9, timeoutMs: 120_000 },
      messages: [{ role: "user", text: "?" }],
    }),
  ]);
});

test("sends an invalid answer back with its problem, and counts all tokens", async () => {
  const { result, requests } = await run({ output }, answerWith('{"a": "x"}'), answerWith('```json\n{"a": 1}\n```'));
  expect(result.output).toMatchObject({ object: { a: 1 }, usage: { totalTokens: 6 } });
  expect(requests[1]?.messages.slice(1)).toEqual([
    { role: "assistant", parts: [{ type: "text", text: '{"a": "x"}' }] },
    { role: "user", text: expect.stringMatching(/^That does not fit the JSON Schema: a: .*number/) },
  ]);
});

test("fails when its repairs are used up, and at once if the answer is cut off or refused", async () => {
  const { result, requests } = await run({ output, repairs: 1 }, answerWith("no"));
  expect([result.code, requests.length]).toEqual(["MODEL_OUTPUT", 2]);
  const cut = await run({ output }, answerWith('{"a":', "length"));
  expect([cut.result.code, cut.requests.length]).toEqual(["MODEL_OUTPUT", 1]);
  const refused = await run({ output }, answerWith("", "content-filter"));
  expect([refused.result.code, refused.requests.length]).toEqual(["MODEL_REFUSED", 1]);
});

test("fails with the server's failure, without a repair", async () => {
  const failure = new NodeFailure("MODEL_SIGN_IN", "no");
  const { result, requests } = await run({ output }, failure);
  expect([result, requests.length]).toEqual([failure, 1]);
});

test("refuses an invalid schema instead of blaming the model", async () => {
  const { result } = await run({ output: { type: "object", properties: { a: { $ref: "#/none" } } } }, answerWith("{}"));
  expect(result).toMatchObject({ code: "INVALID_CONFIG", field: "output" });
});

test("reports the cost if it knows the price", async () => {
  const { result } = await run({ pricePerMillion: { input: 0.5, output: 2 } });
  expect(result.output.usage).toEqual({ ...usage, cost: 0.000_003 });
});

describe("no config", () => {
  test.each([
    { model: "" },
    { model: "../files" },
    { model: "a b" },
    { model: "a?key=b" },
    { credential: 1 },
    { prompt: "x".repeat(1_000_001) },
    { messages: [{ role: "system", content: "x" }] },
    { messages: [{ role: "user", content: "" }] },
    { output: { type: "array" } },
    { output: { type: "object", properties: { a: { enum: ["x".repeat(70_000)] } } } },
    { output: Array.from({ length: 70 }).reduce<object>((inner) => ({ type: "object", inner }), { type: "object" }) },
    { repairs: 6 },
    { temperature: 3 },
    { maxTokens: 0 },
    { timeout: 300_001 },
    { files: Array.from({ length: 21 }, () => ({ file: "file_1" })) },
    { files: ["/etc/passwd"] },
    { pricePerMillion: { input: 1 } },
  ])("is %.60j", (given) => {
    expect(ai.config.safeParse({ ...config, ...given }).success).toBe(false);
  });

  test.each([
    [{ prompt: undefined }, "prompt"],
    [{ prompt: " " }, "prompt"],
    [{ messages: [{ role: "user", content: "x" }] }, "messages"],
    [{ prompt: undefined, messages: [] }, "messages"],
    [{ prompt: undefined, messages: [{ role: "assistant", content: "x" }] }, "messages"],
  ])("has the problem that %j makes", (given, path) => {
    const [problem] = findConfigProblems("ai", JSON.parse(JSON.stringify({ ...config, ...given })));
    expect(problem?.path).toBe(path);
  });
});
