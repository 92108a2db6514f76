// Bounds on what MCP servers may send; the servers answer without a network.
import { expect, test } from "vitest";
import { longestTurn } from "#e2e/support/longest-turn.ts";
import type { Run } from "#lib/executions/run.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import type { NodeContext } from "#lib/nodes/define.ts";
import { fakeRun } from "#lib/nodes/http-request/fake-context.ts";
import { callServersTool, listServersTools } from "./use-tool-server.ts";

const server = { url: "https://tools.test/mcp", credential: undefined, timeoutMs: 10_000 };
const run = { mask: noMask } as Run;
const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;

/** A context whose server answers each method with this result, as JSON. */
function contextOf(results: Readonly<Record<string, string | ((call: number) => string)>>) {
  const requests: string[] = [];
  const open: NodeContext["open"] = async ({ body }) => {
    const { id, method, params } = JSON.parse(String(body));
    requests.push(method);
    const { protocolVersion } = params ?? {};
    const serverInfo = { name: "test", version: "1" };
    const hello = JSON.stringify({ protocolVersion, serverInfo, capabilities: { tools: {} } });
    const result = results[method] ?? hello;
    const answer = typeof result === "string" ? result : result(requests.length);
    const text = `{"jsonrpc": "2.0", "id": ${id}, "result": ${answer}}`;
    const parts = async function* () {
      if (id !== undefined) yield Buffer.from(text);
    };
    return { status: id === undefined ? 202 : 200, headers: { "content-type": "application/json" }, body: parts() };
  };
  const context: NodeContext = { ...fakeRun().context, open };
  return { context, requests };
}

test("the pages of a list together have no more bytes than one answer may have", async () => {
  const tool = { name: "a", inputSchema: { type: "object", description: "x".repeat(1_500_000) } };
  const { context, requests } = contextOf({
    "tools/list": (page) => JSON.stringify({ tools: [tool], nextCursor: `${page}` }),
  });
  await expect(listServersTools(server, 64, context)).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
  expect(requests.filter((method) => method === "tools/list")).toHaveLength(4);
});

test("a list that is nested too deeply to be read is the server's failure", async () => {
  const tool = `{"name": "a", "inputSchema": {"type": "object", "properties": ${deep}}}`;
  const { context } = contextOf({ "tools/list": `{"tools": [${tool}]}` });
  await expect(listServersTools(server, 64, context)).rejects.toMatchObject({ code: "MCP_FAILED" });
});

test("an answer that is nested too deeply is the tool's failure", async () => {
  const { context } = contextOf({ "tools/call": `{"content": [], "structuredContent": ${deep}}` });
  await expect(callServersTool(run, server, "a", {}, context)).rejects.toMatchObject({ name: "NodeFailure" });
});

test.each([
  ["names", `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":1`).join(",")}}`, "RESPONSE_TOO_LARGE"],
  ["empty lists", `[${"[],".repeat(1_500_000)}[]]`, "RESPONSE_TOO_LARGE"],
  ["as many as may be", `{${Array.from({ length: 74_000 }, (_, index) => `"k${index}":1`).join(",")}}`, undefined],
])("an answer of megabytes of small values (%s) takes no long turn", async (_, value, code) => {
  const { context } = contextOf({ "tools/call": `{"content": [], "structuredContent": {"a": ${value}}}` });
  const call = () => callServersTool(run, server, "a", {}, context).catch((error) => error.code);
  expect(await call()).toEqual(code ?? expect.anything());
  expect(await longestTurn(call)).toBeLessThan(100);
});

test("a token that the server refuses is refreshed once, and the message is sent again", async () => {
  const { context, requests } = contextOf({ "tools/call": '{"content": [{"type": "text", "text": "done"}]}' });
  const given = { name: "tools", type: "oauth2", allowedHosts: [] };
  const tokens: string[] = [];
  const open: NodeContext["open"] = async (request) => {
    tokens.push(request.headers.authorization ?? "");
    if (request.headers.authorization === "Bearer first") {
      return { status: 401, headers: {}, body: (async function* () {})() };
    }
    return await context.open(request);
  };
  const renewed: (string | undefined)[] = [];
  const credential: NodeContext["credential"] = async (_, refused) => {
    renewed.push(refused);
    return { ...given, data: { accessToken: "second" } };
  };
  const signedIn = { ...server, credential: { ...given, data: { accessToken: "first" } } };
  expect(await callServersTool(run, signedIn, "a", {}, { ...context, open, credential })).toBe("done");
  expect([renewed, requests.includes("tools/call")]).toEqual([["first"], true]);
  expect(new Set(tokens.slice(1))).toEqual(new Set(["Bearer second"]));
});
