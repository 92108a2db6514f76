// `millrace mcp`: the tools of assistants on standard input and output, with the protocol's own client library.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { baseUrl } from "#e2e/support/address.ts";
import { post } from "#e2e/support/api-client.ts";
import { newKey, newTenant, type Tenant } from "#e2e/support/matrix/own-resources.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";

// Not in `dist`, where another test builds it.
const built = temporaryDirectory();
const program = join(built, "cli/millrace.mjs");
const open: Client[] = [];
let tenant: Tenant;
beforeAll(async () => {
  execFileSync(process.execPath, ["scripts/cli/build.mjs", built]);
  tenant = await newTenant("Assistants by stdio");
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const environment = (overrides: Record<string, string>) => ({
  PATH: process.env.PATH ?? "",
  HOME: mkdtempSync(join(tmpdir(), "millrace-cli-")),
  MILLRACE_URL: baseUrl(),
  ...overrides,
});

async function clientOf(overrides: Record<string, string>): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" });
  open.push(client);
  const env = environment(overrides);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], env, stderr: "ignore" }),
  );
  return client;
}

describe("millrace mcp", () => {
  test("offers the tools of the server, and calls them", async () => {
    const sum = {
      id: "sum",
      type: "transform",
      config: { transform: "({ total: $trigger.body.a + $trigger.body.b })" },
    };
    const settings = { mcp: { expose: true, name: "add_up", description: "Adds." } };
    const flow = { name: "Sum", status: "active", trigger: { type: "webhook" }, nodes: [sum], edges: [], settings };
    expect((await post("/flows", flow, { key: tenant.key })).status).toBe(201);
    const client = await clientOf({ MILLRACE_API_KEY: tenant.key });
    expect(client.getServerVersion()).toMatchObject({ name: "millrace" });
    const there = new Client({ name: "tests", version: "1.0.0" });
    open.push(there);
    const requestInit = { headers: { authorization: `Bearer ${tenant.key}` } };
    await there.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl()}/api/mcp`), { requestInit }));
    expect(await client.listTools()).toEqual(await there.listTools());
    const calls = Array.from({ length: 10 }, (_, a) => client.callTool({ name: "add_up", arguments: { a, b: 1 } }));
    const totals = (await Promise.all(calls)).map(({ structuredContent }) => structuredContent);
    expect(totals).toMatchObject(Array.from({ length: 10 }, (_, a) => ({ output: { total: a + 1 } })));
    const refused = await client.callTool({ name: "no_such_tool", arguments: {} }).catch((error: Error) => error);
    const refusedThere = await there.callTool({ name: "no_such_tool", arguments: {} }).catch((error: Error) => error);
    expect(JSON.stringify(refused)).toBe(JSON.stringify(refusedThere));
  });

  test("shows what the key may do, and no more", async () => {
    const key = await newKey(tenant.workspaceId, { scopes: ["flows:read"] });
    const { tools } = await (await clientOf({ MILLRACE_API_KEY: key })).listTools();
    expect(tools.map(({ name }) => name)).toContain("millrace_read_flow");
    expect(tools.map(({ name }) => name)).not.toContain("millrace_create_flow");
  });

  test("reports what is wrong with the key or the server", async () => {
    await expect(clientOf({ MILLRACE_API_KEY: "not-a-key" })).rejects.toThrow(/does not accept the key/);
    const nowhere = { MILLRACE_API_KEY: tenant.key, MILLRACE_URL: "http://127.0.0.1:9" };
    await expect(clientOf(nowhere)).rejects.toThrow(/No answer from http:\/\/127\.0\.0\.1:9/);
    const { status, stderr } = spawnSync(process.execPath, [program, "mcp"], { env: environment({}) as never });
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining("There is no key for")]);
  });

  test("ignores what is not a message, continues, and ends with its input", async () => {
    const ping = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const input = `nonsense\n{"a": 1}\n${ping}\n`;
    const env = environment({ MILLRACE_API_KEY: tenant.key }) as never;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "mcp"], { input, env });
    expect([status, stdout.toString()]).toEqual([0, ""]);
    expect(stderr.toString()).not.toContain(tenant.key);
  });
});
