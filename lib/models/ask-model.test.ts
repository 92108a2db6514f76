// Requests to three kinds of model servers, and their parsed answers, without a network.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ScriptedAnswer, type WireFormat, wireFormats } from "#e2e/support/models/wire-formats.ts";
import type { ModelAnswer } from "#lib/nodes/ai/model-request.ts";
import { askModel, type LoadedRequest } from "./ask-model.ts";
import { listModels, modelServerOf } from "./model-server.ts";

const formats: readonly WireFormat[] = ["openai", "anthropic", "google-ai"];
const { signal } = new AbortController();
const request: LoadedRequest = { model: "m", messages: [{ role: "user", text: "?" }], files: new Map(), signal };

/** Asks once; the server gives this answer. */
async function askModelWith(
  format: WireFormat,
  answers: ScriptedAnswer | Response,
  overrides: Partial<LoadedRequest> = {},
  data = {},
) {
  const sent: { url: string; headers: Record<string, string>; text: string }[] = [];
  const server = modelServerOf(format, {
    apiKey: "key-1",
    baseUrl: `https://models.test${wireFormats[format].base}/`,
    ...data,
  });
  if (server === null) throw new Error("it is a kind of model server");
  const send: typeof fetch = async (input, init) => {
    sent.push({
      url: String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      text: String(init?.body),
    });
    if (answers instanceof Response) return answers;
    const { whole, streamed } = wireFormats[format];
    return overrides.onText === undefined
      ? Response.json(whole(answers))
      : new Response(streamed(answers), { headers: { "content-type": "text/event-stream" } });
  };
  const answer = await askModel(server, { ...request, ...overrides }, send).catch((error: unknown) => error);
  return { answer, sent };
}

describe.each(formats)("%s", (format) => {
  test("is asked only at its URL, with its key", async () => {
    const { sent, answer } = await askModelWith(format, { text: "hello", tokens: [3, 2] });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url.startsWith(`https://models.test${wireFormats[format].base}/`)).toBe(true);
    expect(Object.values(sent[0]?.headers ?? {}).join()).toContain("key-1");
    expect(answer).toMatchObject({
      parts: [{ type: "text", text: "hello" }],
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      finishReason: "stop",
    });
  });

  test("gets back its calls with their results", async () => {
    const tools = [
      { name: "find", description: "Finds", input: { type: "object", properties: { a: { type: "string" } } } },
    ];
    const first = await askModelWith(
      format,
      { text: "I look", calls: [{ name: "find", input: { a: "x" } }] },
      { tools },
    );
    expect(first.answer).toMatchObject({
      finishReason: "tool-calls",
      parts: [
        { type: "text", text: "I look" },
        { type: "tool-call", name: "find", input: { a: "x" } },
      ],
    });
    expect(first.sent[0]?.text).toContain("Finds");
    const { parts } = first.answer as { parts: never };
    const call = (parts as { id: string; type: string }[]).find(({ type }) => type === "tool-call");
    const messages = [
      ...request.messages,
      { role: "assistant" as const, parts },
      { role: "tool" as const, results: [{ id: call?.id ?? "", name: "find", output: { found: "\u0000 é" } }] },
    ];
    const { sent, answer } = await askModelWith(format, { text: "done" }, { messages, tools });
    expect(answer).toMatchObject({ parts: [{ text: "done" }] });
    expect(sent[0]?.text).toContain("I look");
    expect(sent[0]?.text).toContain("found");
    // Some servers sign their calls, and refuse unsigned ones.
    if (format === "google-ai") expect(sent[0]?.text).toContain("c2lnbmVk");
  });

  test("gives the same answer as a stream, and its text is passed on meanwhile", async () => {
    const tools = [{ name: "find", description: "Finds", input: { type: "object", properties: {} } }];
    const reply = {
      text: "I look it up\u0000 \ud83d\ude00",
      calls: [{ name: "find", input: { a: [1] } }],
      tokens: [7, 3],
    } as const;
    const chunks: string[] = [];
    const whole = await askModelWith(format, reply, { tools });
    const streamedAnswer = await askModelWith(format, reply, { tools, onText: (text) => chunks.push(text) });
    const ofIt = (answer: unknown) => {
      const { parts, ...rest } = answer as ModelAnswer;
      // Some servers give calls no ids, and what is kept for them differs in streams.
      return { ...rest, parts: parts.map((part) => ({ ...part, kept: null, id: null })) };
    };
    expect(ofIt(streamedAnswer.answer)).toEqual(ofIt(whole.answer));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.at(-1)).toBe(reply.text);
    for (const [index, text] of chunks.slice(1).entries()) expect(text.startsWith(chunks[index] ?? "?")).toBe(true);
  });

  test.each([
    ["breaks off", (text: string) => text.slice(0, text.length / 2)],
    ["is none", () => "<html>"],
  ])("a stream that %s is unreadable", async (_, damage) => {
    const text = damage(wireFormats[format].streamed({ text: "a text of some length" }));
    const given = new Response(text, { headers: { "content-type": "text/event-stream" } });
    const { answer } = await askModelWith(format, given, { onText: () => {} });
    expect(answer).toMatchObject({ name: "UnreadableAnswer" });
  });

  test("reports why it stopped", async () => {
    for (const finish of ["length", "content-filter"] as const) {
      expect((await askModelWith(format, { text: "x", finish })).answer).toMatchObject({ finishReason: finish });
    }
  });

  test("is sent files, settings and a schema", async () => {
    const file = { file: "file_1", name: "a.png", contentType: "image/png", size: 3, sha256: "" };
    const note = { ...file, file: "file_2", name: "n.txt", contentType: "text/plain" };
    const files = new Map([
      ["file_1", { name: "a.png", mediaType: "image/png", base64: "AAECAw==" }],
      ["file_2", { name: "n.txt", mediaType: "text/plain", text: "a note" }],
    ]);
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const messages = [{ role: "user" as const, text: "?", files: [file, note] }];
    const { sent } = await askModelWith(
      format,
      { text: "{}" },
      { files, messages, schema, maxTokens: 77, temperature: 0.25 },
    );
    for (const word of ["AAECAw==", "a note", '"integer"', "77", "0.25"]) expect(sent[0]?.text).toContain(word);
  });

  test.each(["<html>", "[]", "null", '{"choices": 1}', "[".repeat(50_000)])(
    "an answer of %.20s is unreadable",
    async (body) => {
      const { answer } = await askModelWith(
        format,
        new Response(body, { headers: { "content-type": "application/json" } }),
      );
      expect(answer).toMatchObject({ name: "UnreadableAnswer" });
      expect(String(answer)).not.toContain("html");
    },
  );
});

describe("the environment", () => {
  const names = [
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "GOOGLE_GENERATIVE_AI_API_KEY",
  ];
  beforeEach(() => {
    for (const name of names) vi.stubEnv(name, "https://of-the-operator.test");
  });
  afterEach(() => void vi.unstubAllEnvs());

  test.each(formats)("is not used by %s", async (format) => {
    const { sent } = await askModelWith(format, { text: "x" }, {}, format === "openai" ? { apiKey: undefined } : {});
    expect(JSON.stringify(sent)).not.toContain("of-the-operator");
  });
});

test("errors of `send` are rethrown", async () => {
  const failure = new Error("no way out");
  const server = modelServerOf("openai", {});
  if (server === null) throw new Error("it is a kind of model server");
  await expect(askModel(server, request, () => Promise.reject(failure))).rejects.toBe(failure);
});

test("a credential of another type has no model server, and each kind has a default URL", () => {
  expect([modelServerOf("bearer", {}), modelServerOf("constructor", {})]).toEqual([null, null]);
  for (const format of formats) {
    const server = modelServerOf(format, { apiKey: "key-1" });
    if (server === null) throw new Error("it is a kind of model server");
    const { url, headers } = listModels(server);
    expect([url.startsWith("https://"), url.endsWith("/models"), JSON.stringify(headers)]).toEqual([
      true,
      true,
      expect.stringContaining("key-1"),
    ]);
  }
});
