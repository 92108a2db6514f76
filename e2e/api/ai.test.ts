// Flows that ask models, on a server that speaks the formats of OpenAI, Anthropic and Google.
import { describe, expect, test } from "vitest";
import { post, send } from "#e2e/support/api-client.ts";
import { EventReader } from "#e2e/support/event-stream.ts";
import { createFlow, edge, execute, node, outputOf, readExecution, run, start, transform } from "#e2e/support/flows.ts";
import { credentialFor } from "#e2e/support/models/credential.ts";
import { modelKey, startModelServer } from "#e2e/support/models/model-server.ts";
import { type WireFormat, wireFormats } from "#e2e/support/models/wire-formats.ts";
import { openWait } from "#e2e/support/open-wait.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

inOwnWorkspace("Models");

const formats: readonly WireFormat[] = ["openai", "anthropic", "google-ai"];
let made = 0;

const schema = {
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer", minimum: 1 } },
  required: ["city", "people"],
  additionalProperties: false,
};

describe.each(formats)("a server in the format of %s", (format) => {
  // Proves nodes.ai
  test("is asked with its key, and its words, tokens and reason come back", async () => {
    const server = await startModelServer(() => ({ text: "Paris\u0000 é 🌍", tokens: [12, 3] }));
    const credential = await credentialFor(server, format);
    const config = { credential, model: "test-1", system: "Be short.", temperature: 0.5, maxTokens: 100 };
    const ended = await run(
      [node("ask", "ai", { ...config, prompt: "What is the capital of {{ $trigger.body.of }}?" })],
      [],
      {
        of: "France \u0000 \ud800",
      },
    );
    expect(ended.error).toBeUndefined();
    expect(ended.output).toEqual({
      text: "Paris\u0000 é 🌍",
      object: null,
      usage: { inputTokens: 12, outputTokens: 3, totalTokens: 15 },
      finishReason: "stop",
    });
    const [request] = server.requests;
    expect(JSON.stringify(request?.headers)).toContain(modelKey);
    expect(request?.text).toContain("Be short.");
    expect(request?.text).toContain("What is the capital of France");
    expect(JSON.stringify(request?.body)).toMatch(/"(max_tokens|maxOutputTokens)":100/);
  });

  test("gives an object of a schema, and is asked again for one that does not fit", async () => {
    const server = await startModelServer((index) =>
      index === 0 ? { text: '{"city": "Oslo"}' } : { text: '```json\n{"city": "Oslo", "people": 700000}\n```' },
    );
    const credential = await credentialFor(server, format);
    const pricePerMillion = { input: 1, output: 2 };
    const ended = await run([
      node("ask", "ai", { credential, model: "test", prompt: "?", output: schema, pricePerMillion }),
    ]);
    expect(ended.error).toBeUndefined();
    expect(ended.output).toMatchObject({
      object: { city: "Oslo", people: 700_000 },
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30, cost: 0.000_04 },
    });
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]?.text).toContain("people");
    expect(server.requests[1]?.text).toContain("does not fit the JSON Schema: people");
  });

  test("that refuses, cuts off or answers with no JSON fails by name", async () => {
    let modelReply: Parameters<typeof startModelServer>[0] = () => ({ text: "never" });
    const server = await startModelServer((...all) => modelReply(...all));
    const credential = await credentialFor(server, format);
    const flow = await createFlow({
      nodes: [node("ask", "ai", { credential, model: "m", prompt: "?", output: schema, repairs: 1 })],
    });
    const codeOf = async (reply: typeof modelReply) => {
      modelReply = reply;
      return (await execute(flow.id)).error?.code;
    };
    expect(await codeOf(() => ({ text: "never" }))).toBe("MODEL_OUTPUT");
    expect(server.requests).toHaveLength(2);
    expect(await codeOf(() => ({ text: "", finish: "content-filter" }))).toBe("MODEL_REFUSED");
    expect(await codeOf(() => ({ text: '{"city"', finish: "length" }))).toBe("MODEL_OUTPUT");
    expect(server.requests).toHaveLength(4);
    expect(await codeOf(() => ({ raw: "<html>" }))).toBe("MODEL_ANSWER");
    expect(await codeOf(() => ({ raw: `${"[".repeat(100_000)}` }))).toBe("MODEL_ANSWER");
    expect(await codeOf(() => ({ status: 401 }))).toBe("MODEL_SIGN_IN");
    expect(await codeOf(() => ({ status: 429 }))).toBe("MODEL_RATE_LIMIT");
    expect(await codeOf(() => ({ status: 404 }))).toBe("MODEL_STATUS");
  });

  test("that is busy is asked again after as long as it says", async () => {
    const server = await startModelServer((index) =>
      index === 0 ? { status: 429, headers: { "retry-after": "1" } } : { text: "now" },
    );
    const credential = await credentialFor(server, format);
    const startedAt = performance.now();
    const ended = await run([
      node("ask", "ai", { credential, model: "m", prompt: "?", retry: { maxRetries: 1, retryDelay: 0 } }),
    ]);
    expect(ended.output).toMatchObject({ text: "now" });
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });
});

// Proves nodes.ai-faults
test("an answer that never ends, one of 40 MB and one that never comes end the node, not the server", async () => {
  let reply: "endless" | "hold" | { raw: string } = "endless";
  const server = await startModelServer(() => reply);
  const credential = await credentialFor(server);
  const flow = await createFlow({
    nodes: [node("ask", "ai", { credential, model: "m", prompt: "?", timeout: 1_000 })],
  });
  expect((await execute(flow.id)).error?.code).toMatch(/^(RESPONSE_TOO_LARGE|TIMEOUT)$/);
  reply = { raw: JSON.stringify({ text: "x".repeat(40_000_000) }) };
  expect((await execute(flow.id)).error?.code).toBe("RESPONSE_TOO_LARGE");
  reply = "hold";
  expect((await execute(flow.id)).error?.code).toBe("TIMEOUT");
});

// Proves nodes.ai-secrets
test("no secret of the workspace is sent to a model, nor shown in what it says about its own key", async () => {
  const server = await startModelServer(() => ({ text: `Your key is ${modelKey}` }));
  const credential = await credentialFor(server);
  const secret = await post("/credentials", { name: "hush", type: "secret", data: { value: "hush-hush-5ecret" } });
  expect(secret.status).toBe(201);
  const ended = await run([
    node("ask", "ai", {
      ...{ credential, model: "m", system: "{{ $credentials.hush }}" },
      messages: [{ role: "user", content: "Tell me {{ $credentials.hush }} and {{ JSON.stringify($credentials) }}" }],
    }),
  ]);
  expect(ended.error).toBeUndefined();
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.text).not.toContain("hush-hush-5ecret");
  expect(server.requests[0]?.text).not.toContain(modelKey);
  expect(ended.output).toMatchObject({ text: "Your key is •••" });
});

test("a redirect is not followed, and a bound credential goes to no other host", async () => {
  const server = await startModelServer(() => ({ status: 307, headers: { location: "/v1/elsewhere" } }));
  const credential = await credentialFor(server);
  const runAi = (name: string) => run([node("ask", "ai", { credential: name, model: "m", prompt: "?" })]);
  expect((await runAi(credential)).error?.code).toBe("MODEL_STATUS");
  const bound = await credentialFor(server, "openai", { allowedHosts: ["api.openai.com"] });
  expect((await runAi(bound)).error?.code).toBe("CREDENTIAL_HOST");
  expect(server.requests).toHaveLength(1);
  await post("/credentials", { name: "noModel", type: "bearer", data: { token: "token" } });
  expect((await runAi("noModel")).error?.code).toBe("CREDENTIAL_TYPE");
});

test("files go along as images, documents and text", async () => {
  const server = await startModelServer(() => ({ text: "seen" }));
  const credential = await credentialFor(server);
  const file = (id: string, content: string, contentType: string) =>
    node(id, "file", { action: "write", path: `${id}.bin`, content, contentType });
  const ended = await run(
    [
      file("note", "a few words", "text/plain"),
      file("photo", "not really", "image/png"),
      node("ask", "ai", {
        ...{ credential, model: "m", prompt: "What is this?" },
        files: ["{{ $nodes.note.output }}", "{{ $nodes.photo.output }}"],
      }),
      node("sound", "ai", {
        ...{ credential, model: "m", prompt: "?", files: [{ file: "file_00000000000000000000000000" }] },
        onError: "continue",
      }),
    ],
    [
      { source: "note", target: "photo" },
      { source: "photo", target: "ask" },
      { source: "ask", target: "sound" },
    ],
  );
  expect(outputOf(ended, "ask")).toMatchObject({ text: "seen" });
  expect(outputOf(ended, "sound")).toMatchObject({ error: { code: "FILE_NOT_FOUND" } });
  expect(server.requests[0]?.text).toContain("a few words");
  expect(server.requests[0]?.text).toContain(Buffer.from("not really").toString("base64"));
});

test("a schema that takes forever to check fails the node alone", async () => {
  const server = await startModelServer(() => ({ text: `{"a": "${"a".repeat(40)}!"}` }));
  const credential = await credentialFor(server);
  const output = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  const ended = await run([node("ask", "ai", { credential, model: "m", prompt: "?", output })]);
  expect(ended.error?.code).toBe("INVALID_CONFIG");
});

test("a test of the flow plays what was recorded, and asks nobody", async () => {
  const server = await startModelServer(() => ({ text: "live" }));
  const credential = await credentialFor(server);
  const flow = await createFlow({ nodes: [node("ask", "ai", { credential, model: "m", prompt: "?" })] });
  const { executionId } = await execute(flow.id);
  expect(server.requests).toHaveLength(1);
  const recorded = await post<{ id: string }>(`/flows/${flow.id}/tests`, { fromExecutionId: executionId });
  expect(recorded.status, recorded.text).toBe(201);
  const passed = await post<{ passed: number }>(`/flows/${flow.id}/tests/run`, {});
  expect(passed.data).toMatchObject({ passed: 1, failed: 0 });
  const cases = await post(`/flows/${flow.id}/rehearse`, { executionId });
  expect(cases.status, cases.text).toBe(200);
  expect(server.requests).toHaveLength(1);
});

test("a credential is tried by listing models", async () => {
  const server = await startModelServer(() => ({ text: "" }));
  for (const format of formats) {
    for (const [data, ok] of [
      [server.credential(format), true],
      [{ ...server.credential(format), apiKey: "another-key" }, false],
    ] as const) {
      made += 1;
      const stored = await post<{ id: string }>("/credentials", { name: `tried${made}`, type: format, data });
      const tried = await post<{ ok: boolean; message: string }>(`/credentials/${stored.data.id}/test`, {});
      expect(tried.data).toMatchObject({ ok, message: expect.stringContaining(`127.0.0.1:${server.port}`) });
    }
  }
});

describe("a run that is watched", () => {
  /** Waits for a call and then asks, so that it is watched before it does. */
  async function watched(credential: string, overrides: object = {}) {
    const nodes = [transform("url", "$resume['pause']"), node("pause", "wait")];
    const asks = node("ask", "ai", { credential, model: "m", prompt: "?", ...overrides });
    const flow = await createFlow({ nodes: [...nodes, asks], edges: [edge("url", "pause"), edge("pause", "ask")] });
    const id = await start(flow.id);
    const address = await openWait("pause", () => readExecution(id, "?includeNodeOutputs=true"));
    const reader = await EventReader.open(`/executions/${id}/stream?includeText=true`);
    await reader.until("it has begun", () => true);
    await send("POST", "", "{}", { base: address, key: null });
    return { id, reader };
  }

  test.each(formats)("tells what a model in the format of %s says while it says it", async (format) => {
    const modelReply = { text: "It takes a while to say all of this.", tokens: [7, 9] } as const;
    const server = await startModelServer(() => ({ halfOf: modelReply }));
    const { id, reader } = await watched(await credentialFor(server, format));
    const { data } = await reader.until("it is heard", ({ event }) => event === "text");
    expect(data).toMatchObject({ nodeId: "ask", iteration: null });
    expect(modelReply.text.startsWith(data.text)).toBe(true);
    server.release();
    await reader.ended;
    expect((await readExecution(id)).output).toMatchObject({ text: modelReply.text, usage: { totalTokens: 16 } });
    expect(server.requests).toHaveLength(1);
    const ids = reader.events.map((event) => event.id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test("asks a server that knows no streams once", async () => {
    const server = await startModelServer(() => ({ raw: JSON.stringify(wireFormats.openai.whole({ text: "whole" })) }));
    const { id, reader } = await watched(await credentialFor(server, "openai"));
    await reader.ended;
    expect((await readExecution(id)).output).toMatchObject({ text: "whole" });
    expect(server.requests).toHaveLength(1);
  });

  test("asks again for what breaks off, as often as it may", async () => {
    const modelReply = { text: "It takes a while to say all of this." };
    const server = await startModelServer((index) => (index === 0 ? { halfOf: modelReply } : modelReply));
    const { id, reader } = await watched(await credentialFor(server, "openai"), {
      retry: { maxRetries: 1, retryDelay: 1 },
    });
    await reader.until("it is heard", ({ event }) => event === "text");
    server.cut();
    await reader.ended;
    expect((await readExecution(id)).output).toMatchObject({ text: modelReply.text });
    expect(server.requests).toHaveLength(2);
  });

  test("asks again no more often than it may", async () => {
    const server = await startModelServer(() => ({ halfOf: { text: "It takes a while to say all of this." } }));
    const { id, reader } = await watched(await credentialFor(server, "openai"), {
      retry: { maxRetries: 1, retryDelay: 1 },
    });
    await reader.until("it is heard", ({ event }) => event === "text");
    server.cut();
    await server.until(2);
    server.cut();
    await reader.ended;
    expect((await readExecution(id)).error).toMatchObject({ code: "RESET", nodeId: "ask" });
    expect(server.requests).toHaveLength(2);
  });

  test("fails where it may not ask again", async () => {
    const server = await startModelServer(() => ({ halfOf: { text: "It takes a while to say all of this." } }));
    const { id, reader } = await watched(await credentialFor(server, "openai"), { retry: { maxRetries: 0 } });
    await reader.until("it is heard", ({ event }) => event === "text");
    server.cut();
    await reader.ended;
    expect((await readExecution(id)).error).toMatchObject({ code: "RESET", nodeId: "ask" });
    expect(server.requests).toHaveLength(1);
  });
});
