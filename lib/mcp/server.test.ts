import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { Scope } from "#lib/access.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import type { FlowRun, FlowTool, Given, Port } from "./port.ts";
import { answerOverHttp } from "./server.ts";

interface Fake {
  readonly scopes?: readonly Scope[];
  readonly flows?: readonly FlowTool[];
  readonly run?: (body: JsonObject) => FlowRun;
  readonly answer?: (name: string, given: Given) => unknown;
}

const offered = (toolName: string, overrides: Partial<FlowTool> = {}): FlowTool => {
  const input = { type: "object", additionalProperties: true };
  return {
    id: `flow_${toolName}`,
    toolName,
    name: toolName,
    description: "Does it.",
    input,
    isGiven: false,
    ...overrides,
  };
};
const all: readonly Scope[] = ["flows:read", "flows:write", "flows:execute", "tests:write", "executions:read"];

function portOf({ scopes = all, flows = [], run, answer }: Fake): Port {
  const sorted = flows.toSorted((a, b) => (a.toolName < b.toolName ? -1 : 1));
  return {
    fault: (thrown) => (thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", "It went wrong")),
    pause: async () => {},
    allows: (scope) => scopes.includes(scope),
    call: async (name, given, limit) => {
      const text = JSON.stringify(answer?.(name, given) ?? null);
      return { text: text.slice(0, limit), isCut: text.length > limit };
    },
    listFlows: async (after, limit) => sorted.filter(({ toolName }) => toolName > after).slice(0, limit),
    findFlow: async (name) => flows.find(({ toolName }) => toolName === name) ?? null,
    runFlow: async (_, body) =>
      run?.(body) ?? { executionId: "exec_1", status: "completed", output: { json: "1" }, error: null },
  };
}

async function connected(fake: Fake): Promise<Client> {
  const port = portOf(fake);
  const answer = async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(url, init);
    if (request.method !== "POST") return new Response(null, { status: 405 });
    return await answerOverHttp(request, (await request.clone().json()) as JsonObject, port);
  };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://127.0.0.1/api/mcp"), { fetch: answer as typeof fetch }),
  );
  return client;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? "";

describe("tools", () => {
  test("tools that the caller may use are listed, each with an object as its input", async () => {
    const client = await connected({ flows: [offered("order_intake")] });
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain("order_intake");
    expect(names).toContain("millrace_change_flow");
    expect(names.filter((name) => /publish|activate|delete/.test(name))).toEqual([]);
    for (const { name, inputSchema } of tools) {
      expect([name, inputSchema.type, "allOf" in inputSchema]).toEqual([name, "object", false]);
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
    const rehearse = tools.find(({ name }) => name === "millrace_rehearse_flow");
    expect(Object.keys(rehearse?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(["flowId", "testId", "faults"]),
    );
    expect(rehearse?.inputSchema.required).toEqual(["flowId"]);
    expect(JSON.stringify(tools.filter(({ name }) => name.startsWith("millrace_"))).length).toBeLessThan(60_000);
  });

  test("a read-only caller is shown no tool that changes or runs something", async () => {
    const client = await connected({ scopes: ["flows:read"], flows: [offered("order_intake")] });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("millrace_read_flow");
    expect(names.filter((name) => /create|change|start|runs?$|order/.test(name))).toEqual([]);
  });

  test("of many flows each is listed once, over several pages", async () => {
    const flows = Array.from({ length: 120 }, (_, index) => offered(`flow_${String(index).padStart(3, "0")}`));
    const client = await connected({ flows });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? undefined : { cursor });
      names.push(...page.tools.map(({ name }) => name).filter((name) => name.startsWith("flow_")));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect([...new Set(names)].sort()).toEqual(flows.map(({ toolName }) => toolName));
  });

  test("an unknown tool and an invalid cursor are protocol errors", async () => {
    const client = await connected({ scopes: ["flows:read"], flows: [offered("order_intake")] });
    for (const name of ["nobody", "order_intake", "millrace_publish", "", "\u0000", "\ud800", "a".repeat(10_000)]) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toThrow("no such tool");
    }
    await expect(client.listTools({ cursor: "' OR 1=1" })).rejects.toThrow("no such cursor");
  });
});

describe("an offered flow", () => {
  test("returns its answer as text and as structured data", async () => {
    const run = (body: JsonObject): FlowRun => {
      return {
        executionId: "exec_1",
        status: "completed",
        output: { json: JSON.stringify({ total: body.n }) },
        error: null,
      };
    };
    const client = await connected({ flows: [offered("sum")], run });
    const result = await client.callTool({ name: "sum", arguments: { n: 7 } });
    expect(result.structuredContent).toEqual({ output: { total: 7 }, executionId: "exec_1" });
    expect(textOf(result)).toBe('{"total":7}');
    expect(result.isError).not.toBe(true);
  });

  test("that fails says why and in which execution", async () => {
    const error = { message: "No rate", nodeId: "rate", code: "HTTP_404" };
    const client = await connected({
      flows: [offered("sum")],
      run: () => ({ executionId: "exec_9", status: "failed", output: null, error }),
    });
    const result = await client.callTool({ name: "sum", arguments: {} });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/HTTP_404 at the node "rate": No rate[\s\S]*exec_9/);
  });

  test("with an input schema is not run with invalid arguments", async () => {
    let runs = 0;
    const input = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };
    const run = () => {
      runs += 1;
      return { executionId: "exec_1", status: "completed", output: { json: "1" }, error: null };
    };
    const client = await connected({ flows: [offered("sum", { input, isGiven: true })], run });
    for (const given of [{}, { n: "7" }, { n: 0 }, { n: 1.5 }]) {
      expect(await client.callTool({ name: "sum", arguments: given })).toMatchObject({ isError: true });
    }
    expect(runs).toBe(0);
    await client.callTool({ name: "sum", arguments: { n: 1 } });
    expect(runs).toBe(1);
  });

  test("gets every argument, also one named __proto__", async () => {
    const bodies: JsonObject[] = [];
    const port = portOf({
      flows: [offered("sum")],
      run: (body) => {
        bodies.push(body);
        return { executionId: "exec_1", status: "completed", output: { json: "1" }, error: null };
      },
    });
    const text = '{"__proto__":{"a":1},"n":7}';
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sum","arguments":${text}}}`;
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const request = new Request("http://127.0.0.1/api/mcp", { method: "POST", headers, body: message });
    await (await answerOverHttp(request, JSON.parse(message), port)).text();
    expect(bodies.map((body) => JSON.stringify(body))).toEqual([text]);
  });

  test("a long answer is truncated, with a note", async () => {
    const json = JSON.stringify("\u{1f600}".repeat(200_000));
    const client = await connected({
      flows: [offered("sum")],
      run: () => ({ executionId: "exec_1", status: "completed", output: { json }, error: null }),
    });
    const result = await client.callTool({ name: "sum", arguments: {} });
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result).length).toBeLessThan(70_000);
    expect(textOf(result)).toMatch(/Cut: .*exec_1/);
    expect(textOf(result).isWellFormed()).toBe(true);
  });
});

test("a bug reveals nothing, in a call and in the list", async () => {
  const fail = () => {
    throw new Error("password at 10.0.0.1");
  };
  const client = await connected({ answer: fail, flows: [offered("sum")], run: fail });
  for (const [name, given] of [
    ["sum", {}],
    ["millrace_list_runs", {}],
  ] as const) {
    expect(textOf(await client.callTool({ name, arguments: given }))).toBe("INTERNAL_ERROR: It went wrong");
  }
});

describe("a builder tool", () => {
  test("reports a refusal with each invalid field", async () => {
    const refuse = () => {
      throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
        details: { "nodes[0].type": "must be text" },
      });
    };
    const client = await connected({ answer: refuse });
    const nodes = [{ id: "a", type: "log" }];
    const result = await client.callTool({
      name: "millrace_check_flow",
      arguments: { trigger: { type: "manual" }, nodes },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("- nodes[0].type: must be text");
  });

  test("refuses invalid arguments with their paths, before anything is called", async () => {
    let calls = 0;
    const client = await connected({
      answer: () => {
        calls += 1;
        throw notFound("Flow");
      },
    });
    const wrong = [{}, { flowId: 7 }, { flowId: null }, { flowId: ["a"] }, { flowId: { toString: "x" } }];
    for (const given of wrong) {
      const result = await client.callTool({ name: "millrace_read_flow", arguments: given });
      expect([result.isError, textOf(result).includes("flowId")]).toEqual([true, true]);
    }
    expect(calls).toBe(0);
  });

  test("changes a draft itself, and any other flow's working copy", async () => {
    const called: [string, Given][] = [];
    const flow = {
      id: "flow_1",
      version: 3,
      updatedAt: "2026-01-31T00:00:00.000Z",
      trigger: { type: "manual" },
      nodes: [],
      edges: [],
    };
    const answer = (status: string) => (name: string, given: Given) => {
      called.push([name, given]);
      if (name === "readFlow") return { ...flow, status, draft: null };
      return name === "checkFlow" ? { problems: [], advice: [] } : { revision: 1, problems: [] };
    };
    const nodes = [{ id: "a", type: "log" }];
    const change = { name: "millrace_change_flow", arguments: { flowId: "flow_1", nodes } };
    await (await connected({ answer: answer("draft") })).callTool(change);
    expect(called.find(([name]) => name === "updateFlow")?.[1].ifMatch).toBe('"3 2026-01-31T00:00:00.000Z"');
    for (const status of ["active", "inactive"]) {
      called.length = 0;
      await (await connected({ answer: answer(status) })).callTool(change);
      expect(called.map(([name]) => name)).toEqual(["readFlow", "writeDraft"]);
      expect(called[1]?.[1].ifMatch).toBe('"0"');
    }
  });
});
