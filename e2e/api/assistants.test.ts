// The tools of assistants, called with the protocol's own client library.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { baseUrl } from "#e2e/support/address.ts";
import { get, patch, post, put } from "#e2e/support/api-client.ts";
import type { TestFlow } from "#e2e/support/flows.ts";
import { newKey, newTenant, type Tenant } from "#e2e/support/matrix/own-resources.ts";
import { type Scope, scopes } from "#lib/access.ts";

const url = () => new URL(`${baseUrl()}/api/mcp`);
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function clientOf(key: string): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit }));
  open.push(client);
  return client;
}

type Fields = Record<string, unknown>;
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? "";
const callText = async (client: Client, name: string, given: Fields = {}) =>
  textOf(await client.callTool({ name, arguments: given }));
// biome-ignore lint/suspicious/noExplicitAny: tests look at what came
const callJson = async (client: Client, name: string, given: Fields = {}): Promise<any> => {
  const result = await client.callTool({ name, arguments: given });
  expect(result.isError, textOf(result)).not.toBe(true);
  return JSON.parse(textOf(result));
};

let ours: Tenant;
let theirs: Tenant;
beforeAll(async () => {
  [ours, theirs] = [await newTenant("Assistants"), await newTenant("Other assistants")];
});

async function makeFlow(definition: Fields, { key }: Tenant = ours): Promise<TestFlow> {
  const given = { name: "Sum", status: "active", trigger: { type: "webhook" }, edges: [], ...definition };
  const answer = await post<TestFlow>("/flows", given, { key });
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}
const sum = { id: "sum", type: "transform", config: { transform: "({ total: $trigger.body.a + $trigger.body.b })" } };

describe.skipIf(inject("server").dataDir === undefined)("assistants", () => {
  // Proves assistants.builder-tools
  test("build a flow of six nodes from the node types alone, and run its tests", async () => {
    const client = await clientOf(ours.key);
    const types = await callJson(client, "millrace_list_node_types");
    const chosen = ["if-else", "http-request", "transform", "log", "respond", "merge"];
    expect(types.map(({ type }: Fields) => type)).toEqual(expect.arrayContaining(chosen));
    const read = async (type: string) => await callJson(client, "millrace_read_node_type", { type });
    const configOf: Fields = {};
    for (const type of chosen) {
      const details = await read(type);
      expect(details.configSchema.type).toBe("object");
      configOf[type] = details.example;
    }
    const [yes, no] = (await read("if-else")).handles.fixed;
    const { credential: _, ...request } = configOf["http-request"] as Fields;
    const nodes = [
      { id: "large", type: "if-else", config: configOf["if-else"] },
      { id: "order", type: "http-request", config: request },
      { id: "refuse", type: "respond", config: configOf.respond },
      { id: "note", type: "log", config: { message: "Ordered" } },
      { id: "joined", type: "merge", config: configOf.merge },
      { id: "answer", type: "transform", config: { transform: "({ id: $trigger.body.id })" } },
    ];
    const edges = [
      { source: "large", target: "order", sourceHandle: yes },
      { source: "large", target: "refuse", sourceHandle: no },
      { source: "order", target: "note" },
      { source: "note", target: "joined" },
      { source: "joined", target: "answer" },
    ];
    const trigger = { type: "webhook" };
    const broken = await callJson(client, "millrace_check_flow", { trigger, nodes: [{ id: "a", type: "transform" }] });
    expect(broken.problems).not.toEqual([]);
    expect((await callJson(client, "millrace_check_flow", { trigger, nodes, edges })).problems).toEqual([]);

    const made = await callJson(client, "millrace_create_flow", { name: "Large orders", trigger, nodes, edges });
    expect(made).toMatchObject({ status: "draft", problems: [] });
    const { flowId } = made;
    const ofFlow = { flowId, trigger: { body: { id: 7, total: 500 }, headers: {}, query: {}, method: "POST" } };
    const recordings = { order: { output: { status: 201, headers: {}, body: {} } } };
    const right = { ...ofFlow, name: "A large order", recordings, expect: { status: "completed", output: { id: 7 } } };
    await callJson(client, "millrace_create_test", right);
    await callJson(client, "millrace_create_test", {
      ...right,
      name: "Wrong",
      expect: { status: "completed", output: { id: 8 } },
    });
    const results = await callJson(client, "millrace_run_tests", { flowId });
    expect(results).toMatchObject({ passed: 1, failed: 1 });
    const [{ testId }] = results.results.filter(({ status }: Fields) => status === "passed");
    const { cases } = await callJson(client, "millrace_rehearse_flow", { flowId, testId });
    expect(cases.length).toBeGreaterThan(3);
    expect((await callJson(client, "millrace_list_tests", { flowId })).items).toHaveLength(2);
    expect((await get<TestFlow>(`/flows/${flowId}`, { key: ours.key })).data.status).toBe("draft");
  });

  // Proves assistants.working-copies
  test("change a draft, and of a live flow the working copy: what runs stays", async () => {
    const client = await clientOf(ours.key);
    const live = await makeFlow({ name: "Live", nodes: [sum] });
    const other = { ...sum, config: { transform: "0" } };
    const first = await callJson(client, "millrace_change_flow", { flowId: live.id, nodes: [other] });
    expect(first).toMatchObject({ changed: "working copy", revision: 1, problems: [] });
    expect(first.changes).toHaveLength(1);
    const shown = await callJson(client, "millrace_read_flow", { flowId: live.id });
    expect(shown.flow.nodes[0].config).toEqual(sum.config);
    expect(shown.workingCopy.definition.nodes[0].config).toEqual(other.config);
    const again = await callJson(client, "millrace_change_flow", { flowId: live.id, name: "Renamed" });
    expect(again).toMatchObject({ revision: 2 });
    const stale = await client.callTool({
      name: "millrace_change_flow",
      arguments: { flowId: live.id, nodes: [sum], revision: 1 },
    });
    expect([stale.isError, textOf(stale).startsWith("CONFLICT")]).toEqual([true, true]);
    const body = { a: 1, b: 2 };
    const made = { name: "Sum", trigger: { body, headers: {}, query: {}, method: "POST" } };
    const expected = { ...made, expect: { status: "completed", output: { total: 3 } } };
    await callJson(client, "millrace_create_test", { flowId: live.id, ...expected });
    expect(await callJson(client, "millrace_run_tests", { flowId: live.id })).toMatchObject({ passed: 1 });
    const ofCopy = { flowId: live.id, workingCopy: true };
    expect(await callJson(client, "millrace_run_tests", ofCopy)).toMatchObject({ passed: 0, failed: 1 });
    const now = (await get<TestFlow>(`/flows/${live.id}`, { key: ours.key })).data;
    expect([now.name, now.version, now.status]).toEqual(["Live", 1, "active"]);

    const draft = await makeFlow({ name: "Draft", status: "draft", nodes: [sum] });
    expect(await callJson(client, "millrace_change_flow", { flowId: draft.id, nodes: [other] })).toMatchObject({
      changed: "draft",
    });
    const status = await client.callTool({
      name: "millrace_change_flow",
      arguments: { flowId: draft.id, status: "active" },
    });
    expect(status.isError, textOf(status)).not.toBe(true);
    expect((await get<TestFlow>(`/flows/${draft.id}`, { key: ours.key })).data).toMatchObject({
      status: "draft",
      nodes: [other],
    });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names.filter((name) => /publish|activate|delete|credential/.test(name))).toEqual([]);
  });

  // Proves assistants.flows-as-tools
  test("find active flows that are offered as tools, and run them", async () => {
    const client = await clientOf(ours.key);
    const input = {
      type: "object",
      properties: { a: { type: "number" }, b: { type: "number" } },
      required: ["a", "b"],
    };
    const mcp = { expose: true, name: "add_up", description: "Adds two numbers." };
    const flow = await makeFlow({ nodes: [sum], settings: { mcp, input } });
    await makeFlow({ name: "Hidden", nodes: [sum], settings: { mcp: { expose: false, name: "hidden_one" } } });
    await makeFlow({ name: "Asleep", status: "inactive", nodes: [sum], settings: { mcp: { expose: true } } });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(tools.find(({ name }) => name === "add_up")).toMatchObject({
      description: "Adds two numbers.",
      inputSchema: input,
    });
    expect(names.filter((name) => name === "hidden_one" || name === "asleep")).toEqual([]);

    const result = await client.callTool({ name: "add_up", arguments: { a: 1, b: 2 } });
    expect(textOf(result)).toBe('{"total":3}');
    expect(result.structuredContent).toMatchObject({ output: { total: 3 } });
    const wrong = await client.callTool({ name: "add_up", arguments: { a: "1" } });
    expect([wrong.isError, textOf(wrong).includes("b is required")]).toEqual([true, true]);
    const runs = await callJson(client, "millrace_list_runs", { flowId: flow.id });
    expect(runs.items).toHaveLength(1);

    // What a working copy says is offered once it is published.
    const definition = { trigger: flow.trigger, nodes: flow.nodes, settings: { mcp: { ...mcp, name: "add_more" } } };
    expect((await put(`/flows/${flow.id}/draft`, { definition }, { key: ours.key })).status).toBe(200);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("add_up");
    expect((await post(`/flows/${flow.id}/publish`, {}, { key: ours.key })).status).toBe(200);
    const later = (await client.listTools()).tools;
    expect(later.map(({ name }) => name)).toContain("add_more");
    expect(later.map(({ name }) => name)).not.toContain("add_up");
    // Its input is not given any more: it is what past runs had.
    await expect
      .poll(async () => (await client.listTools()).tools.find(({ name }) => name === "add_more")?.inputSchema)
      .toMatchObject({
        type: "object",
        properties: { a: { type: "integer" }, b: { type: "integer" } },
        required: ["a", "b"],
      });
    expect((await client.callTool({ name: "add_more", arguments: { a: "x", b: "y" } })).isError).not.toBe(true);
    expect(JSON.stringify(later.find(({ name }) => name === "add_more")?.inputSchema)).not.toContain("x-seen");
  });

  // Proves assistants.tool-names
  test("two active flows never have one name as a tool", async () => {
    const key = ours.key;
    const offered = (name: string, overrides: Fields = {}) => ({
      ...{ name, status: "active", trigger: { type: "manual" }, nodes: [sum] },
      settings: { mcp: { expose: true, ...overrides } },
    });
    const first = await post<TestFlow>("/flows", offered("Stock level"), { key });
    expect(first.status, first.text).toBe(201);
    const taken = await post("/flows", offered("Stock, level!"), { key });
    expect([taken.status, Object.keys(taken.error.details ?? {})]).toEqual([400, ["settings.mcp.name"]]);
    const second = await post<TestFlow>("/flows", { ...offered("Stock level"), status: "draft" }, { key });
    expect((await patch(`/flows/${second.data.id}`, { status: "active" }, { key })).status).toBe(400);
    const named = { settings: { mcp: { expose: true, name: "stock_two" } }, status: "active" };
    expect((await patch(`/flows/${second.data.id}`, named, { key })).status).toBe(200);
    expect((await post("/flows", offered("在庫"), { key })).status).toBe(400);
    expect((await post("/flows", offered("Stock level"), { key: theirs.key })).status).toBe(201);
    const both = await Promise.all(
      [1, 2, 3, 4].map(() => post("/flows", offered("Raced", { name: "raced" }), { key })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    for (const mcp of [{ name: "a b" }, { expose: 1 }, { name: "millrace_x" }, { name: "\u0000" }, "yes"]) {
      expect((await post("/flows", { ...offered("Bad"), status: "draft", settings: { mcp } }, { key })).status).toBe(
        400,
      );
    }
  });

  // Proves assistants.explains
  test("can find out why a run failed, by the execution that its error names", async () => {
    const client = await clientOf(ours.key);
    const nodes = [
      { id: "check", type: "if-else", config: { condition: "$trigger.body.n > 5" } },
      { id: "fail", type: "transform", config: { transform: "$trigger.body.missing.total" } },
      { id: "skip", type: "log", config: { message: "small" } },
    ];
    const edges = [
      { source: "check", target: "fail", sourceHandle: "true" },
      { source: "check", target: "skip", sourceHandle: "false" },
    ];
    await makeFlow({ name: "Fails", nodes, edges, settings: { mcp: { expose: true, name: "fails" } } });
    const result = await client.callTool({ name: "fails", arguments: { n: 7 } });
    expect(result.isError).toBe(true);
    const [executionId] = /exec_\w+/.exec(textOf(result)) ?? [];
    expect(textOf(result)).toContain('at the node "fail"');
    const explained = await callJson(client, "millrace_explain_run", { executionId });
    expect(explained).toMatchObject({ id: executionId, status: "failed", error: { nodeId: "fail" } });
    const why = Object.fromEntries(explained.why.map((reason: Fields) => [reason.nodeId, reason]));
    expect(why.fail.why.length).toBeGreaterThan(0);
    expect(why.skip.why[0]).toMatchObject({ nodeId: "check", value: true });
    expect(explained.timeline.length).toBeGreaterThan(2);
  });

  // Proves assistants.backtests
  test("backtest a changed flow over its runs", async () => {
    const client = await clientOf(ours.key);
    const flow = await makeFlow({ name: "Past", nodes: [sum], settings: { mcp: { expose: true, name: "past" } } });
    await client.callTool({ name: "past", arguments: { a: 1, b: 2 } });
    await callJson(client, "millrace_change_flow", {
      flowId: flow.id,
      nodes: [{ ...sum, config: { transform: "({ total: 0 })" } }],
    });
    const { backtestId } = await callJson(client, "millrace_start_backtest", {
      flowId: flow.id,
      last: 5,
      since: "2020-01-31",
    });
    await expect
      .poll(async () => await callJson(client, "millrace_read_backtest", { flowId: flow.id, backtestId }), {
        timeout: 30_000,
      })
      .toMatchObject({ status: "completed", counts: { changed: 1 } });
  });

  // Proves assistants.scopes
  test("may do what their key may, and are shown no more", async () => {
    const flow = await makeFlow({ name: "Held", nodes: [sum], settings: { mcp: { expose: true, name: "held" } } });
    const changing = [
      "millrace_create_flow",
      "millrace_change_flow",
      "millrace_create_test",
      "millrace_start_backtest",
    ];
    const only = async (...given: Scope[]) => await clientOf(await newKey(ours.workspaceId, { scopes: given }));
    const reader = await only("flows:read");
    const names = (await reader.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("millrace_read_flow");
    expect(names.filter((name) => [...changing, "held", "millrace_explain_run"].includes(name))).toEqual([]);
    const given: Fields = {
      flowId: flow.id,
      name: "Taken over",
      trigger: { type: "manual" },
      nodes: [sum],
      executionId: "exec_x",
    };
    for (const name of [...changing, "millrace_explain_run", "millrace_list_runs"]) {
      const refused = await reader.callTool({ name, arguments: given });
      expect([name, refused.isError, textOf(refused).split(":")[0]]).toEqual([name, true, "FORBIDDEN"]);
    }
    await expect(reader.callTool({ name: "held", arguments: {} })).rejects.toThrow("no such tool");
    const runner = await only("flows:execute");
    expect((await runner.listTools()).tools.map(({ name }) => name)).toContain("held");
    expect(await callText(runner, "held", { a: 1, b: 1 })).toBe('{"total":2}');
    const writer = await only(...scopes.filter((scope) => scope !== "flows:execute"));
    await expect(writer.callTool({ name: "held", arguments: {} })).rejects.toThrow("no such tool");
    expect((await get<TestFlow>(`/flows/${flow.id}`, { key: ours.key })).data.name).toBe("Held");
  });

  // Proves assistants.isolation
  test("reach nothing of another workspace", async () => {
    const flow = await makeFlow(
      { name: "Theirs", nodes: [sum], settings: { mcp: { expose: true, name: "theirs_only" } } },
      theirs,
    );
    const run = await post<{ executionId: string }>(`/flows/${flow.id}/execute`, { async: false }, { key: theirs.key });
    const client = await clientOf(ours.key);
    await expect(client.callTool({ name: "theirs_only", arguments: {} })).rejects.toThrow("no such tool");
    const given: Fields = {
      flowId: flow.id,
      name: "Mine now",
      executionId: run.data.executionId,
      backtestId: "bt_x",
      testId: "test_x",
    };
    for (const { name } of (await client.listTools()).tools) {
      if (!/read_flow$|change_flow|tests?$|backtest|rehearse|explain/.test(name)) continue;
      const extra = name === "millrace_create_test" ? { trigger: { body: {} } } : {};
      const sent = name === "millrace_rehearse_flow" ? { flowId: flow.id, testId: "test_x" } : { ...given, ...extra };
      const result = await client.callTool({ name, arguments: sent });
      expect([name, result.isError, textOf(result)]).toEqual([
        name,
        true,
        expect.stringMatching(/^(NOT_FOUND|VALIDATION_ERROR)/),
      ]);
      expect(textOf(result)).not.toContain("Theirs");
    }
    expect((await callJson(client, "millrace_list_runs", { flowId: flow.id })).items).toEqual([]);
    expect((await get<TestFlow>(`/flows/${flow.id}`, { key: theirs.key })).data.name).toBe("Theirs");
  });

  // Proves assistants.hostile
  test("get an error for arguments of any kind, and the service stays healthy", async () => {
    const client = await clientOf(ours.key);
    await makeFlow({
      name: "Echo",
      nodes: [{ id: "e", type: "transform", config: { transform: "$trigger.body" } }],
      settings: { mcp: { expose: true, name: "echo" } },
    });
    let deep: unknown = "x";
    for (let level = 0; level < 40; level += 1) deep = { a: [deep] };
    const unusual = { text: "a\u0000\ud800", list: [null, 1e300, -0, ""], nested: { constructor: 1, toString: 2 } };
    const echoed = await client.callTool({ name: "echo", arguments: unusual });
    expect(JSON.parse(textOf(echoed))).toEqual({ ...unusual, list: [null, 1e300, 0, ""] });
    const values = [
      null,
      7,
      -1,
      1e308,
      "",
      "\u0000",
      "\ud800",
      "x".repeat(100_000),
      [],
      [[]],
      {},
      { $ne: 1 },
      true,
      "../../etc",
      "%00",
    ];
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools.filter((tool) => tool.name.startsWith("millrace_"))) {
      for (const value of values) {
        const given = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((field) => [field, value]));
        const result = await client.callTool({ name, arguments: given });
        expect([name, textOf(result).startsWith("INTERNAL_ERROR")]).toEqual([name, false]);
        expect(textOf(result).length).toBeLessThan(70_000);
      }
    }
    const deepNodes = [{ id: "a", type: "log", config: { message: "x", data: deep } }];
    await expect(
      client.callTool({ name: "millrace_check_flow", arguments: { trigger: { type: "manual" }, nodes: deepNodes } }),
    ).rejects.toThrow();
    for (const name of ["", "nobody", "millrace_publish_flow", "\u0000", "__proto__", "a".repeat(5_000)]) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow("no such tool");
    }
    expect(await callText(client, "echo", { n: 1 })).toBe('{"n":1}');
  });
});

describe("the address", () => {
  const send = (init: RequestInit) => fetch(url(), { method: "POST", ...init });
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const headers = (key: string | null, overrides: Record<string, string> = {}) => ({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...overrides,
  });

  // Proves assistants.checked-as-api
  test("checks the method, the key, the origin and the body as the API does", async () => {
    const tenant = await newTenant("Addressed");
    const body = JSON.stringify(message);
    for (const key of [null, "garbage", `${tenant.key}x`]) {
      const refused = await send({ headers: headers(key), body });
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(await refused.json()).toMatchObject({ success: false, error: { code: "UNAUTHORIZED" } });
    }
    const foreign = await send({ headers: headers(tenant.key, { origin: "https://evil.example" }), body });
    expect(foreign.status).toBe(403);
    const reading = await fetch(url(), { headers: headers(tenant.key) });
    expect([reading.status, reading.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const large = await send({ headers: headers(tenant.key), body: `{"a":"${"x".repeat(1_100_000)}"}` });
    expect(large.status).toBe(413);
    for (const wrong of [
      "",
      "[]",
      "{",
      "7",
      '{"jsonrpc":"1.0"}',
      `${"[".repeat(100_000)}`,
      "\ud800",
      JSON.stringify([message]),
    ]) {
      const answer = await send({ headers: headers(tenant.key), body: wrong });
      expect([wrong.slice(0, 20), answer.status]).toEqual([wrong.slice(0, 20), 400]);
      await answer.body?.cancel();
    }
    const refused = await send({ headers: headers(tenant.key), body });
    expect(refused.status).toBe(200);
    expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await refused.text()).toContain("millrace_list_flows");
  });
});
