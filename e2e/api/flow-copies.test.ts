// Copying, exporting and importing flows.
import { describe, expect, it } from "vitest";
import { get, post, send } from "../support/api-client.ts";
import { createFlow, edge, execute, type TestFlow, transform } from "../support/flows.ts";
import { expectInvalid, expectRefusal } from "../support/refusals.ts";

const unknown = "flow_00000000000000000000000000";

const makeFlow = (fields = {}) =>
  createFlow({
    name: "Original",
    description: "What it does",
    status: "active",
    tags: ["one"],
    variables: { region: "eu" },
    nodes: [transform("a", "1"), transform("b", "$nodes['a'].output + 1")],
    edges: [edge("a", "b")],
    ...fields,
  });

describe("POST /flows/:id/duplicate", () => {
  // Proves flow-status.duplicated, flows.duplicate.answer, flows.duplicate.defaults, flows.duplicate.own
  it("201: a draft with its own name, URL and versions", async () => {
    const original = await makeFlow();
    const copied = await post<TestFlow>(`/flows/${original.id}/duplicate`);
    expect(copied.status).toBe(201);
    expect(Object.keys(copied.data).sort()).toEqual(["createdAt", "id", "name", "status"]);
    expect(copied.data).toMatchObject({ name: "Original (copy)", status: "draft" });
    const copy = (await get<TestFlow & { executionCount: number }>(`/flows/${copied.data.id}`)).data;
    expect(copy).toMatchObject({
      description: "What it does",
      tags: ["one"],
      variables: original.variables,
      nodes: original.nodes,
      edges: original.edges,
      executionCount: 0,
      version: 1,
    });
    expect(copy.trigger.config.url).not.toBe(original.trigger.config.url);
  });

  // Proves flows.duplicate.without
  it("201: without variables and connections on request", async () => {
    const { id } = await makeFlow();
    const options = { name: "Bare", includeVariables: false, includeConnections: false };
    const { data } = await post<TestFlow>(`/flows/${id}/duplicate`, options);
    const copy = (await get<TestFlow>(`/flows/${data.id}`)).data;
    expect(copy).toMatchObject({ name: "Bare", variables: {}, edges: [] });
    expect(copy.nodes).toHaveLength(2);
  });

  // Proves flows.duplicate.name
  it("201: the longest name still has room for its suffix", async () => {
    const { id } = await makeFlow({ name: "x".repeat(255) });
    const { data } = await post<TestFlow>(`/flows/${id}/duplicate`);
    expect(data.name).toHaveLength(255);
    expect(data.name).toMatch(/x \(copy\)$/);
  });

  // Proves flows.duplicate.refused
  it("400 and 404", async () => {
    const { id } = await makeFlow();
    expectInvalid(await post(`/flows/${id}/duplicate`, { includeVariables: "no" }), "includeVariables");
    expectInvalid(await post(`/flows/${id}/duplicate`, { name: " " }), "name");
    expectRefusal(await post(`/flows/${unknown}/duplicate`), 404, "NOT_FOUND");
  });
});

interface Exported {
  readonly version: string;
  readonly exportedAt: string;
  readonly flow: Record<string, unknown> & { readonly trigger: { readonly config: Record<string, unknown> } };
  readonly tests?: unknown[];
  readonly executions?: unknown[];
}

const exported = async (id: string, query = "") => {
  const answer = await get(`/flows/${id}/export${query}`);
  expect(answer.status).toBe(200);
  return { document: answer.body as Exported, headers: answer.headers };
};

describe("GET /flows/:id/export", () => {
  // Proves addresses.export-version, conventions.bare-export, flows.export.document, flows.export.trigger-url
  // Proves flows.export.attachment
  it("200: the bare document, as an attachment named after the flow, without the generated URL", async () => {
    const { id, nodes, edges } = await makeFlow({ name: "Größe / 1" });
    const { document, headers } = await exported(id);
    expect(Object.keys(document).sort()).toEqual(["exportedAt", "flow", "version"]);
    expect(document.version).toBe("1.0.0");
    expect(document.exportedAt).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    expect(document.flow).toMatchObject({ name: "Größe / 1", nodes, edges, variables: { region: "eu" } });
    expect(document.flow.trigger.config).toEqual({ method: "POST" });
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+\.json"$/);
  });

  // Proves flows.export.include-variables, flows.export.include-executions
  it("200: without variables, and with executions, on request", async () => {
    const { id } = await makeFlow();
    await execute(id);
    const { document } = await exported(id, "?includeVariables=false&includeExecutions=true");
    expect(document.flow).not.toHaveProperty("variables");
    expect(document.executions).toMatchObject([
      { flowId: id, status: "completed", nodes: [{ output: 1 }, { output: 2 }] },
    ]);
  });

  // Proves flows.export.refused
  it("400 and 404", async () => {
    const { id } = await makeFlow();
    expectInvalid(await get(`/flows/${id}/export?includeExecutions=maybe`), "includeExecutions");
    expectRefusal(await get(`/flows/${unknown}/export`), 404, "NOT_FOUND");
  });
});

describe("POST /flows/import", () => {
  // Proves flows.import.created
  it("201: what was exported, as a draft with its own URL", async () => {
    const original = await makeFlow();
    const { document } = await exported(original.id);
    const imported = await post<TestFlow>("/flows/import", { data: document });
    expect(imported.status).toBe(201);
    const { nodes, edges, variables, name, description } = original;
    const tags = ["one"];
    expect(imported.data).toMatchObject({ nodes, edges, variables, name, description, tags, status: "draft" });
    expect(imported.data.trigger.config.url).not.toBe(original.trigger.config.url);
  });

  const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
  const yaml = { "content-type": "application/yaml" };

  it.each([
    ["64 levels", { variables: { deep: nested(62) } }],
    ["almost 1 MiB", { variables: { lines: "a line\n".repeat(130_000) } }],
    ["a million characters of numbers", { variables: { ones: Array.from({ length: 500_000 }, () => 1) } }],
    [
      "many defaults",
      { nodes: Array.from({ length: 1_000 }, (_, at) => transform(`node-${at}`, `"${"x".repeat(900)}"`)) },
    ],
  ])("201: a flow of %s, as JSON and as text", async (_, fields) => {
    const original = await makeFlow({ status: "draft", nodes: [transform("a", "1")], edges: [], ...fields });
    const { document } = await exported(original.id);
    const { text } = await get(`/flows/${original.id}/export?format=yaml`);
    const both = [
      await post<TestFlow>("/flows/import", { data: document }),
      await send<TestFlow>("POST", "/flows/import", text, { headers: yaml }),
    ];
    for (const { status, data } of both) {
      expect(status).toBe(201);
      expect((await exported(data.id)).document.flow).toEqual(document.flow);
    }
  });

  it("201: all tests that a flow may have, however large and deep", async () => {
    const original = await makeFlow();
    const rows = Array.from({ length: 9_000 }, (_, id) => ({
      id,
      name: `Customer ${id}`,
      mail: `customer-${id}@example.com`,
      tags: ["a", "b"],
    }));
    for (const name of ["A", "B", "C"]) {
      const test = { name, recordings: { a: { output: rows } } };
      expect((await post(`/flows/${original.id}/tests`, test)).status).toBe(201);
    }
    const { document } = await exported(original.id);
    expect(JSON.stringify(document).length).toBeGreaterThan(2 * 1_048_576);
    // As deep as a run's output may be, of which a test is made.
    const deep = { name: "deep", recordings: { a: { output: nested(400) } } };
    const tests = [...(document.tests ?? []), deep];
    const imported = await post<TestFlow>("/flows/import", { data: { ...document, tests } });
    expect(imported.status).toBe(201);
    const again = await exported(imported.data.id);
    expect(again.document.tests?.slice(0, 3)).toEqual(document.tests);
    expect(again.document.tests?.[3]).toMatchObject(deep);
  });

  it("400: a flow that no request could change afterwards", async () => {
    const { document } = await exported((await makeFlow()).id);
    const withVariables = (variables: object) => ({ data: { ...document, flow: { ...document.flow, variables } } });
    expectInvalid(await post("/flows/import", withVariables({ deep: nested(63) })), "data.flow.variables", /63 levels/);
    const large = withVariables({ text: "x".repeat(2 * 1_048_576) });
    expectInvalid(await post("/flows/import", large), "data.flow", /2,097,152 bytes/);
    expectRefusal(
      await post("/flows/import", withVariables({ text: "x".repeat(8 * 1_048_576) })),
      413,
      "PAYLOAD_TOO_LARGE",
    );
  });

  // Proves flows.import.name
  it("201: the request's name wins over the document's, which may have none then", async () => {
    const { document } = await exported((await makeFlow()).id);
    const { data } = await post<TestFlow>("/flows/import", { name: "Other", data: document });
    expect(data.name).toBe("Other");
    const { name: _, ...nameless } = document.flow;
    const named = await post<TestFlow>("/flows/import", { name: "Named", data: { ...document, flow: nameless } });
    expect(named.status).toBe(201);
    expect(named.data.name).toBe("Named");
    const unnamed = await post("/flows/import", { name: null, data: { ...document, flow: nameless } });
    expectInvalid(unnamed, "data.flow.name", /required/);
  });

  // Proves flows.import.keep-variables
  it("201: the newest namesake keeps its values unless variables are overwritten", async () => {
    const name = `Namesake ${Date.now()}`;
    const { document } = await exported((await makeFlow({ name, variables: { region: "eu", size: 1 } })).id);
    await makeFlow({ name, variables: { region: "us", other: true } });
    const imported = await post<TestFlow>("/flows/import", { data: document, overwriteVariables: false });
    expect(imported.data.variables).toEqual({ region: "us", size: 1 });
    const overwritten = await post<TestFlow>("/flows/import", { data: document });
    expect(overwritten.data.variables).toEqual({ region: "eu", size: 1 });
  });

  // Proves flows.import.other-major
  it("400: another major version, no data, and an invalid graph, each named", async () => {
    const { document } = await exported((await makeFlow()).id);
    expectInvalid(await post("/flows/import", { data: { ...document, version: "2.0.0" } }), "data.version");
    expectInvalid(await post("/flows/import", {}), "data");
    const flow = { ...document.flow, edges: [edge("a", "nowhere")] };
    expectInvalid(await post("/flows/import", { data: { ...document, flow } }), "data.flow.edges[0].target");
    const nameless = { ...document.flow, name: "" };
    expectInvalid(await post("/flows/import", { data: { ...document, flow: nameless } }), "data.flow.name");
  });

  // Proves flows.import.version-expected
  it("400: a document without a version, or without a flow", async () => {
    const { document } = await exported((await makeFlow()).id);
    for (const version of [undefined, null, 1, "", "1.x", "v1"]) {
      expectInvalid(await post("/flows/import", { data: { ...document, version } }), "data.version");
    }
    expectInvalid(await post("/flows/import", { data: { version: "1.0.0" } }), "data.flow", /required/);
    expect((await post("/flows/import", { data: { ...document, version: "1.7" } })).status).toBe(201);
  });
});
