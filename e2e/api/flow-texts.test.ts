// Flows as canonical text: exported, imported, and refused with lines and columns.
import { describe, expect, it } from "vitest";
import { get, post, send } from "../support/api-client.ts";
import { createFlow, edge, execute, type TestFlow, transform } from "../support/flows.ts";
import { detailsOf, expectInvalid, expectRefusal } from "../support/refusals.ts";

const yaml = { "content-type": "application/yaml" };
const take = (text: string, headers: Record<string, string> = {}) =>
  send<TestFlow>("POST", "/flows/import", text, { headers: { ...yaml, ...headers } });

async function exported(id: string, query = ""): Promise<string> {
  const answer = await get(`/flows/${id}/export?format=yaml${query}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/yaml; charset=utf-8"]);
  return answer.text;
}

const makeFlow = (fields = {}) =>
  createFlow({
    name: "Größe: 1",
    description: "Line one\nline two",
    tags: ["yes", "a: b"],
    variables: {
      region: "eu",
      odd: ["yes", "1e3", "<<", "&a", "a\u2028b", "x\r\n", "\ud800", "\u0000", "😀", "#", " "],
    },
    nodes: [transform("a", "1"), transform("b", "const one = $nodes['a'].output;\nreturn one + 1;")],
    edges: [edge("a", "b")],
    ...fields,
  });

const minimal = (nodes: string) => `version: 1\nname: F\ntrigger:\n  type: manual\nnodes:\n${nodes}`;

describe("GET /flows/:id/export?format=yaml", () => {
  // Proves flows.export.yaml, flows.import.yaml
  it("200: text that makes the same flow, which has the same text", async () => {
    const original = await makeFlow();
    await post(`/flows/${original.id}/tests`, { name: "It adds", expect: { output: 2 }, now: "2026-01-31T10:00:00Z" });
    const text = await exported(original.id);
    expect(text).toMatch(/^# yaml-language-server: \$schema=http\S+\/api\/v1\/flow-schema\.json\nversion: 1\.0\.0\n/);
    expect(text).not.toContain(original.trigger.config.url);
    expect(await exported(original.id)).toBe(text);
    const imported = await take(text);
    expect(imported.status).toBe(201);
    const { nodes, edges, variables, name, description } = original;
    const tags = ["yes", "a: b"];
    expect(imported.data).toMatchObject({ nodes, edges, variables, name, description, tags, status: "draft" });
    expect(imported.data.trigger.config.url).not.toBe(original.trigger.config.url);
    expect(await exported(imported.data.id)).toBe(text);
    const { data } = await get<{ name: string }[]>(`/flows/${imported.data.id}/tests`);
    expect(data.map((test) => test.name)).toEqual(["It adds"]);
    expect(await execute(imported.data.id)).toMatchObject({ status: "completed", output: 2 });
  });

  it("200: as an attachment, without variables on request", async () => {
    const { id } = await makeFlow();
    const answer = await get(`/flows/${id}/export?format=yaml&includeVariables=false`);
    expect(answer.text).not.toContain("variables:");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.yaml"$/);
  });

  it("400: no other forms, and no executions in text", async () => {
    const { id } = await makeFlow();
    expectInvalid(await get(`/flows/${id}/export?format=xml`), "format");
    expectInvalid(await get(`/flows/${id}/export?format=yaml&includeExecutions=true`), "includeExecutions");
  });
});

describe("POST /flows/import with text", () => {
  // Proves flows.import.yaml
  it("201: in JSON as `text`, with a name of its own; the same request again makes no other flow", async () => {
    const text = await exported((await makeFlow()).id);
    const named = await post<TestFlow>("/flows/import", { text, name: "Other" });
    expect([named.status, named.data.name]).toEqual([201, "Other"]);
    const key = { "idempotency-key": `text-${Date.now()}` };
    const [first, again] = [await take(text, key), await take(text, key)];
    expect(again.data.id).toBe(first.data.id);
    expectInvalid(await post("/flows/import", { text, format: "n8n" }), "format");
  });

  // Proves flows.import.yaml-refused
  it("400: what is wrong has a line and a column", async () => {
    expect(detailsOf(await take(minimal("  a:\n    typ: log\n")))).toEqual({
      "line 6, column 3 (nodes.a)": "type is required",
      "line 7, column 5 (nodes.a.typ)": expect.stringContaining("is not known here"),
    });
    expect(Object.keys(detailsOf(await take("a: [1")))).toEqual(["line 1, column 6"]);
    const unknown = detailsOf(await take(minimal("  a:\n    type: nothing\n    next: b\n")));
    expect(unknown).toMatchObject({
      "line 7, column 11 (nodes.a.type)": expect.stringContaining("unknown node type"),
      "line 8, column 11 (nodes.a.next)": expect.stringContaining('no node "b"'),
    });
  });

  // Proves flows.import.yaml-refused
  it("400 and 413: no text takes more than its size; others are served meanwhile", async () => {
    const bombs = [
      `a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n`,
      "[".repeat(100_000),
      "- ".repeat(100_000),
      `? ${"? ".repeat(50_000)}`,
      minimal(`  a: {type: log, config: {m: "${"\\u0000".repeat(10_000)}`),
      `${"a: b: ".repeat(20_000)}`,
      "\ufeff%YAML 1.1\n---\n",
      `"${"x".repeat(200_000)}`,
    ];
    let slowest = 0;
    let isDone = false;
    const watch = (async () => {
      while (!isDone) {
        const startedAt = performance.now();
        await get("/flows?limit=1");
        slowest = Math.max(slowest, performance.now() - startedAt);
      }
    })();
    for (const bomb of bombs) expectRefusal(await take(bomb), 400, "VALIDATION_ERROR");
    const large = minimal(
      Array.from(
        { length: 900 },
        (_, index) => `  n${index}:\n    type: log\n    config: {message: "${"m".repeat(900)}"}\n`,
      ).join(""),
    );
    expect((await take(large)).status).toBe(201);
    isDone = true;
    await watch;
    // Far from what reading them in the server would take; a shared machine may be slow.
    expect(slowest).toBeLessThan(10_000);
    expectRefusal(await take("x".repeat(8_400_000)), 413, "PAYLOAD_TOO_LARGE");
    const bytes = new Uint8Array([0x61, 0x3a, 0xff]);
    expectRefusal(await send("POST", "/flows/import", bytes, { headers: yaml }), 400, "VALIDATION_ERROR");
  });

  it("401, before anything is read", async () => {
    expectRefusal(await send("POST", "/flows/import", "a: [", { headers: yaml, key: null }), 401, "UNAUTHORIZED");
  });
});

// Proves flows.import.yaml-schema
it("GET /flow-schema.json is a JSON Schema of the text, open to all", async () => {
  const { status, body } = await get("/flow-schema.json", { key: null });
  expect(status).toBe(200);
  expect(body).toMatchObject({ $schema: expect.stringContaining("2020-12"), properties: { nodes: expect.anything() } });
});
