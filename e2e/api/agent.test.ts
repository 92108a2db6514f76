// Agents: models that use flows, tables and HTTP operations, on a server of the test's own in three formats.
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { createFlow, ended, execute, node, readExecution, run, start, transform } from "#e2e/support/flows.ts";
import { dataDirectory } from "#e2e/support/made-database.ts";
import { credentialFor } from "#e2e/support/models/credential.ts";
import {
  type ModelReply,
  type ModelRequestReceived,
  modelKey,
  startModelServer,
} from "#e2e/support/models/model-server.ts";
import type { WireFormat } from "#e2e/support/models/wire-formats.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";
import { databaseStopped, startServer } from "#e2e/support/server.ts";
import { ServerClient } from "#e2e/support/server-client.ts";
import type { LoopIteration, ReadIteration } from "#lib/contract/executions/iterations.ts";
import { removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";

inOwnWorkspace("Agents");

const formats: readonly WireFormat[] = ["openai", "anthropic", "google-ai"];
const ofNumber = { type: "object", properties: { number: { type: "string" } }, required: ["number"] };
const agent = (config: object) => node("agent", "agent", { model: "m", prompt: "Where is order 7?", ...config });
const calls = (name: string, input: unknown): ModelReply => ({ calls: [{ name, input }] });
/** Answers in turn, the last one again. */
const inTurn =
  (...replies: readonly ModelReply[]) =>
  (index: number, _: ModelRequestReceived): ModelReply =>
    replies[Math.min(index, replies.length - 1)] ?? "hold";

describe.each(formats)("with a model in the format of %s", (format) => {
  // Proves nodes.agent
  test("an agent uses a flow, an operation and a table, and answers", async () => {
    const sink = await countingServer(() => ({ body: { carrier: "Post \u0000" } }));
    const table = await post<{ id: string }>("/tables", {
      name: `orders ${format}`,
      columns: [{ name: "number", type: "text", unique: true }],
    });
    const flow = await createFlow({ nodes: [transform("is", "({paid: $trigger.body.number === '7'})")] });
    const server = await startModelServer(
      inTurn(
        calls("is_paid", { number: "7" }),
        {
          text: "Let me see.",
          calls: [
            { name: "track", input: { number: "7" } },
            { name: "note", input: { row: { number: "7" } } },
          ],
        },
        { text: "It is with the post.", tokens: [20, 7] },
      ),
    );
    const credential = await credentialFor(server, format);
    const result = await run([
      agent({
        credential,
        pricePerMillion: { input: 1, output: 1 },
        tools: [
          { name: "is_paid", flowId: flow.id, input: ofNumber, description: "Says whether an order is paid" },
          { name: "track", url: `${sink.url}/parcels/{number}`, input: ofNumber },
          { name: "note", table: table.data.id, action: "insert" },
        ],
      }),
    ]);
    expect(result.error).toBeUndefined();
    expect(result.output).toMatchObject({
      ...{ text: "It is with the post.", object: null },
      usage: { inputTokens: 40, outputTokens: 17, totalTokens: 57, cost: 0.000_057 },
      steps: [
        { kind: "model", calls: [{ name: "is_paid", input: { number: "7" } }] },
        { kind: "tool", call: { name: "is_paid" }, output: { paid: true } },
        { kind: "model", text: "Let me see." },
        { kind: "tool", output: { status: 200, body: { carrier: "Post \u0000" } } },
        { kind: "tool", output: { count: 1 } },
        { kind: "model", text: "It is with the post." },
      ],
    });
    expect(sink.received.map(({ url }) => url)).toEqual(["/parcels/7"]);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[0]?.text).toContain("Says whether an order is paid");
    expect(server.requests[1]?.text).toContain("paid");
    expect(server.requests[2]?.text).toContain("carrier");
    const rows = await get<{ rows: unknown[] }>(`/tables/${table.data.id}/rows`);
    expect(rows.data.rows).toHaveLength(1);
    // The run shows each step.
    const path = `/executions/${result.executionId}/nodes/agent/iterations`;
    const steps = await get<LoopIteration[]>(path);
    expect(steps.data.map(({ iteration, status }) => [iteration, status])).toEqual(
      Array.from({ length: 6 }, (_, index) => [`${index}`, "completed"]),
    );
    const read = await get<ReadIteration>(`${path}/1`);
    expect(read.data.nodes).toMatchObject([{ nodeId: "agent", output: { kind: "tool", output: { paid: true } } }]);
    const [shown] = (await readExecution(result.executionId)).nodes;
    expect(shown).toMatchObject({ nodeId: "agent", iterations: 6 });
  });

  test("an agent with a schema answers by a call, again where it does not fit", async () => {
    const server = await startModelServer(
      inTurn(calls("final_answer", { days: "two" }), { text: "Two days." }, calls("final_answer", { days: 2 })),
    );
    const credential = await credentialFor(server, format);
    const output = { type: "object", properties: { days: { type: "integer" } }, required: ["days"] };
    const result = await run([agent({ credential, output })]);
    expect(result.error).toBeUndefined();
    expect(result.output).toMatchObject({ object: { days: 2 } });
    expect(server.requests).toHaveLength(3);
  });
});

// Proves nodes.agent-limits
test("an agent whose model never answers is stopped by its steps, and by its budget before it spends more", async () => {
  const server = await startModelServer(() => ({ ...(calls("rows", {}) as object), tokens: [90, 10] }));
  const credential = await credentialFor(server);
  const table = await post<{ id: string }>("/tables", { name: "loops", columns: [{ name: "a", type: "text" }] });
  const tools = [{ name: "rows", table: table.data.id, action: "find" }];
  const stopped = await run([agent({ credential, tools, maxSteps: 3 })]);
  expect([stopped.error?.code, server.requests.length]).toEqual(["AGENT_STEPS", 3]);
  const spent = await run([agent({ credential, tools, tokenBudget: 350 })]);
  expect(spent.error?.code).toBe("AGENT_BUDGET");
  expect(server.requests.length - 3).toBeLessThanOrEqual(3);
  const steps = await get<LoopIteration[]>(`/executions/${spent.executionId}/nodes/agent/iterations`);
  expect(steps.data.at(-1)?.status).toBe("failed");
  const caught = await run([agent({ credential, tools, maxSteps: 1, onError: "continue" })]);
  expect(caught.output).toMatchObject({ error: { code: "AGENT_STEPS" } });
});

test("failed tools, unknown tools and invalid input are reported to the model", async () => {
  const failing = await createFlow({ nodes: [node("stop", "stop", { status: "failed", message: "out of stock" })] });
  const server = await startModelServer(
    inTurn(
      {
        calls: [
          { name: "buy", input: { number: "1" } },
          { name: "sell", input: {} },
          { name: "buy", input: { number: 2 } },
          { name: "gone", input: {} },
          { name: "inside", input: {} },
        ],
      },
      { text: "It cannot be bought." },
    ),
  );
  const credential = await credentialFor(server);
  const result = await run([
    agent({
      credential,
      tools: [
        { name: "buy", flowId: failing.id, input: ofNumber },
        { name: "gone", flowId: "flow_00000000000000000000000000" },
        { name: "inside", url: "http://10.1.2.3/" },
      ],
    }),
  ]);
  expect(result.output).toMatchObject({ text: "It cannot be bought." });
  const conversation = server.requests[1]?.text ?? "";
  for (const word of ["out of stock", "no tool named sell", "does not fit", "FLOW_NOT_FOUND", "BLOCKED_ADDRESS"]) {
    expect(conversation).toContain(word);
  }
});

test("a model that asks for secrets is given none", async () => {
  expect((await post("/credentials", { name: "safe", type: "bearer", data: { token: "safe-t0ken" } })).status).toBe(
    201,
  );
  const sink = await countingServer((_, { headers }) => ({ body: { echo: headers } }));
  const server = await startModelServer(
    inTurn(calls("look", { path: "{{ $credentials.safe.token }}" }), { text: "{{ $credentials.safe.token }}" }),
  );
  const credential = await credentialFor(server);
  const input = { type: "object", properties: { path: { type: "string" } } };
  const tools = [{ name: "look", url: `${sink.url}/look`, credential: "safe", input }];
  const result = await run([agent({ credential, tools, prompt: "Tell me {{ $credentials.safe.token }}" })]);
  expect(result.error).toBeUndefined();
  expect(sink.received[0]?.headers.authorization).toBe("Bearer safe-t0ken");
  expect(decodeURIComponent(sink.received[0]?.url ?? "")).toContain("{{");
  expect(result.output).toMatchObject({ text: "{{ $credentials.safe.token }}" });
  expect(JSON.stringify(result)).not.toContain("safe-t0ken");
  for (const { text } of server.requests)
    expect([text.includes("safe-t0ken"), text.includes(modelKey)]).toEqual([false, false]);
});

// Proves nodes.agent-approval
test("a tool with approval waits for a person, who may refuse it", async () => {
  const sink = await countingServer();
  const pay = calls("pay", { amount: 9 });
  const server = await startModelServer((index) => (index === 1 || index === 3 ? { text: "done" } : pay));
  const credential = await credentialFor(server);
  const input = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };
  const tools = [{ name: "pay", method: "POST", url: `${sink.url}/pay`, input }];
  const flow = await createFlow({ nodes: [agent({ credential, tools, approval: ["pay"] })] });
  for (const [action, sent, conversation] of [
    ["approve", 1, '"ok'],
    ["refuse", 1, "refused"],
  ] as const) {
    const id = await start(flow.id);
    const [approval] = await eventually("a person is asked", async () => {
      const waits = await get<{ iteration: string; state: string; form: { title: string } }[]>(
        `/executions/${id}/waits`,
      );
      return waits.data.some(({ state }) => state === "open") ? waits.data : undefined;
    });
    expect(approval?.form.title).toBe("May the agent use pay?");
    const answer = await post(`/executions/${id}/nodes/agent/resume?iteration=${approval?.iteration}`, {
      action,
      note: "hm",
    });
    expect(answer.status, answer.text).toBe(200);
    expect((await ended(id)).output).toMatchObject({ text: "done" });
    expect(sink.received).toHaveLength(sent);
    expect(server.requests.at(-1)?.text).toContain(conversation);
  }
  expect(sink.received[0]?.body).toBe('{"amount":9}');
});

test("an agent in a loop that waits for a person says so, and so does its item", async () => {
  const server = await startModelServer(inTurn(calls("pay", { amount: 9 }), { text: "done" }));
  const credential = await credentialFor(server);
  const tools = [{ name: "pay", method: "POST", url: "https://example.com/pay", input: { type: "object" } }];
  const body = { nodes: [agent({ credential, tools, approval: ["pay"] })], edges: [] };
  const flow = await createFlow({ nodes: [node("each", "loop", { items: "{{ [1] }}", body })] });
  const id = await start(flow.id);
  const path = `/executions/${id}/nodes/each/iterations`;
  const [item] = await eventually("the item waits", async () => {
    const { data } = await get<LoopIteration[]>(path);
    return data[0]?.waitingFor === undefined ? undefined : data;
  });
  expect(item).toMatchObject({ iteration: "0", waitingFor: "approval" });
  const read = await get<ReadIteration>(`${path}/0`);
  expect(read.data.nodes).toMatchObject([{ nodeId: "agent", status: "running", waitingFor: "approval" }]);
  await post(`/executions/${id}/cancel`, {});
});

test("a step is no type of a flow's own node", async () => {
  const refused = await post("/flows", { name: "x", trigger: { type: "manual" }, nodes: [node("a", "agent-step")] });
  expect(refused.error?.code).toBe("VALIDATION_ERROR");
  const types = await get<{ type: string; hasSteps: boolean }[]>("/node-types");
  expect(types.data.filter(({ hasSteps }) => hasSteps).map(({ type }) => type)).toEqual(["agent"]);
  expect(types.text).not.toContain("agent-step");
});

test("a test of a flow plays an agent as a whole", async () => {
  const server = await startModelServer(inTurn(calls("none", {}), { text: "live" }));
  const credential = await credentialFor(server);
  const flow = await createFlow({ nodes: [agent({ credential })] });
  const { executionId } = await execute(flow.id);
  expect(server.requests).toHaveLength(2);
  const recorded = await post<{ recordings: object }>(`/flows/${flow.id}/tests`, { fromExecutionId: executionId });
  expect(recorded.data.recordings).toMatchObject({ agent: { output: { text: "live" } } });
  expect((await post(`/flows/${flow.id}/tests/run`, {})).data).toMatchObject({ passed: 1, failed: 0 });
  const cases = await post(`/flows/${flow.id}/rehearse`, { executionId });
  expect(cases.status, cases.text).toBe(200);
  const retry = await get(`/executions/${executionId}/retry-plan`);
  expect(retry.status, retry.text).toBe(200);
  expect((await get(`/executions/${executionId}/timeline`)).status).toBe(200);
  expect(server.requests).toHaveLength(2);
});

// Proves nodes.agent-killed
test("a server killed between an agent's steps repeats none that is recorded", async () => {
  let isKilled = false;
  const sink = await countingServer();
  const server = await startModelServer((index) => {
    if (index < 2) return calls("tell", { number: `${index}` });
    return isKilled ? { text: "done" } : "hold";
  });
  const dataDir = dataDirectory();
  const first = await startServer({ dataDir });
  const before = new ServerClient(first);
  const data = server.credential("openai");
  expect((await before.call("POST", "/credentials", { name: "model", type: "openai", data })).status).toBe(201);
  const tools = [{ name: "tell", method: "POST", url: `${sink.url}/tell`, input: ofNumber }];
  const flowId = await before.createFlow([agent({ credential: "model", tools })]);
  const id = await before.start(flowId);
  await server.until(3);
  await first.kill();
  isKilled = true;
  const again = await startServer({ dataDir, env: { BOOTSTRAP_API_KEY: first.apiKey } });
  try {
    const execution = await new ServerClient({ url: again.url, apiKey: first.apiKey }).ended(id, 60_000);
    expect(execution).toMatchObject({ status: "completed", output: { text: "done" } });
    // Only the question that was open is asked again.
    expect(server.requests).toHaveLength(4);
    expect(sink.received.map(({ body }) => body)).toEqual(['{"number":"0"}', '{"number":"1"}']);
  } finally {
    expect(await again.stop()).toBe(0);
    await databaseStopped(dataDir);
    removeFilesOf(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
