// Workflows of n8n by the API: converted, stored, run, and refused in words.
import { describe, expect, it } from "vitest";
import { condition, n8nDocument, n8nNode, set, webhook } from "#lib/n8n/testing/workflows.ts";
import { get, post, send } from "../support/api-client.ts";
import { execute, type TestFlow } from "../support/flows.ts";
import { expectInvalid } from "../support/refusals.ts";

interface Imported extends Omit<TestFlow, "nodes"> {
  readonly nodes: readonly { readonly id: string; readonly type: string }[];
  readonly report: {
    readonly converted: number;
    readonly gaps: readonly { node: string; type: string; reason: string; nodeId: string | null }[];
  };
}

const greeting = () =>
  n8nDocument(
    "Greeting",
    [
      webhook(),
      n8nNode("Polite?", "if", { conditions: condition("={{ $json.body.name }}", "notEmpty") }, { version: 2.2 }),
      set("Hello", { text: "=Hello {{ $json.body.name }}" }),
      n8nNode("Respond", "respondToWebhook", { respondWith: "firstIncomingItem", options: {} }, { version: 1.1 }),
      n8nNode("Ask a person", "n8n-nodes-base.whatsApp", { text: "{{ no }}" }),
    ],
    ["Webhook -> Polite?", "Polite? -> Hello", "Hello -> Respond", "Polite?:1 -> Ask a person"],
  );

describe("POST /flows/import with a workflow of n8n", () => {
  // Proves flows.import.n8n
  it("201: a draft that runs, and a report of what is left to fix", async () => {
    const { status, data } = await post<Imported>("/flows/import", { format: "n8n", document: greeting() });
    expect(status).toBe(201);
    expect(data).toMatchObject({ name: "Greeting", status: "draft", trigger: { type: "webhook" } });
    expect(data.nodes.map(({ id, type }) => `${id}: ${type}`)).toEqual([
      "polite: if-else",
      "hello: transform",
      "respond: respond",
      "ask-a-person: stop",
    ]);
    expect(data.report).toEqual({
      converted: 4,
      gaps: [
        { node: "Webhook", type: "n8n-nodes-base.webhook", reason: expect.any(String), nodeId: "trigger" },
        {
          node: "Ask a person",
          type: "n8n-nodes-base.whatsApp",
          reason: expect.stringContaining("A stop takes its place"),
          nodeId: "ask-a-person",
        },
      ],
    });
    const run = await execute(data.id, { name: "Ada" });
    expect(run).toMatchObject({ status: "completed", output: { text: "Hello Ada" } });
    const stopped = await execute(data.id, {});
    expect(stopped).toMatchObject({ status: "failed", error: { code: "STOPPED", nodeId: "ask-a-person" } });
    const stored = await get<{ settings: { canvas: { imported: unknown } } }>(`/flows/${data.id}`);
    expect(stored.data.settings.canvas.imported).toEqual({ from: "n8n", gaps: data.report.gaps });
  });

  // Proves flows.import.n8n-repeated
  it("201: the same request again with its key makes no other flow, and is answered with the report too", async () => {
    const headers = { "idempotency-key": `n8n-${Date.now()}` };
    const body = { format: "n8n", document: greeting() };
    const once = () => post<Imported>("/flows/import", body, { headers });
    const first = await once();
    const again = await once();
    expect(again.data).toEqual(first.data);
    expect(again.data.report.gaps).toHaveLength(2);
  });

  // Proves flows.import.n8n-refused
  it("400: no document, another format, what is no workflow, and more than a flow may hold", async () => {
    expectInvalid(await post("/flows/import", { format: "n8n" }), "document");
    expectInvalid(await post("/flows/import", { format: "zapier", document: {} }), "format");
    expectInvalid(await post("/flows/import", { document: {} }), "data");
    expectInvalid(await post("/flows/import", { format: "n8n", document: {} }), "document.nodes");
    expectInvalid(await post("/flows/import", { format: "n8n", document: [] }), "document");
    const nodes = Array.from({ length: 10_000 }, (_, index) => ({ name: `${index}`, type: "x" }));
    expectInvalid(await post("/flows/import", { format: "n8n", document: { nodes } }), "document.nodes");
  });

  // Proves flows.import.n8n-text
  it("201: names with U+0000, lone surrogates and __proto__ are stored and read back", async () => {
    const text = JSON.stringify(
      n8nDocument("N\u0000", [n8nNode("Start", "manualTrigger"), set("__proto__", { a: "x\u0000" })], []),
    ).replace('"connections":{}', '"connections":{"Start":{"main":[[{"node":"__proto__"}]]}}');
    const body = `{"format":"n8n","document":${text.replace('"name":"N\\u0000"', '"name":"N\\ud800"')}}`;
    const { status, data } = await send<Imported>("POST", "/flows/import", body, {
      headers: { "content-type": "application/json" },
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({ name: "N\ufffd", nodes: [{ id: "proto", name: "__proto__" }] });
    expect(await execute(data.id, {})).toMatchObject({ status: "completed", output: { a: "x\u0000" } });
  });
});
