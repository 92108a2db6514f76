import { describe, expect, it } from "vitest";
import { get, patch } from "#e2e/support/api-client.ts";
import { createFlow, edge, execute, node, readExecution, type TestFlow, transform } from "#e2e/support/flows.ts";
import { detailsOf, expectInvalid, expectRefusal } from "#e2e/support/refusals.ts";

const update = (id: string, changes: unknown, headers: Record<string, string> = {}) =>
  patch<Partial<TestFlow>>(`/flows/${id}`, changes, { headers });
const read = async (id: string) => (await get<TestFlow>(`/flows/${id}`)).data;

describe("only the given fields change", () => {
  // Proves flows.update.answer
  it("the answer has the id, the fields that were sent, and updatedAt", async () => {
    const flow = await createFlow({ tags: ["old"] });
    const answer = await update(flow.id, { name: "New", tags: ["a", "b"] });
    expect(answer.status).toBe(200);
    const { updatedAt, ...rest } = answer.data;
    expect(rest).toEqual({ id: flow.id, name: "New", tags: ["a", "b"] });
    expect(Date.parse(updatedAt ?? "")).toBeGreaterThan(Date.parse(flow.updatedAt));
    expect(await read(flow.id)).toMatchObject({ ...flow, name: "New", tags: ["a", "b"], updatedAt });
  });

  // Proves flow-status.patched, flows.update.sent-only
  it.each<[string, unknown]>([
    ["description", "Words"],
    ["description", null],
    ["status", "active"],
    ["variables", { a: [1, { b: null }] }],
    ["nodes", [{ ...node("n", "log"), name: "N", position: { x: 1, y: 2 } }]],
    ["settings", { timeoutMs: 1_000 }],
  ])("%s: %j", async (field, value) => {
    const flow = await createFlow({ description: "Before", status: "inactive" });
    const { data } = await update(flow.id, { [field]: value });
    expect(data).toEqual({ id: flow.id, [field]: value, updatedAt: expect.any(String) });
    expect(await read(flow.id)).toMatchObject({ [field]: value });
  });

  // Proves flows.update.empty
  it("{} changes nothing and is accepted", async () => {
    const flow = await createFlow();
    const { status, data } = await update(flow.id, {});
    expect(status).toBe(200);
    expect(Object.keys(data).sort()).toEqual(["id", "updatedAt"]);
    expect(await read(flow.id)).toMatchObject({ name: flow.name, version: 1 });
  });

  it("read-only fields are ignored", async () => {
    const flow = await createFlow();
    const sent = {
      id: "flow_x",
      createdAt: "1999-01-01T00:00:00Z",
      executionCount: 99,
      workspaceId: "ws_x",
      version: 7,
    };
    expect((await update(flow.id, sent)).status).toBe(200);
    expect(await read(flow.id)).toMatchObject({
      id: flow.id,
      createdAt: flow.createdAt,
      executionCount: 0,
      version: 1,
    });
  });

  // Proves flow.settings
  it("settings can be removed", async () => {
    const flow = await createFlow({ settings: { timeoutMs: 1_000 } });
    await update(flow.id, { settings: null });
    expect(await read(flow.id)).not.toHaveProperty("settings.timeoutMs");
  });
});

describe("the trigger URL stays the same for the flow's life", () => {
  // Proves trigger.url-for-life
  it("through every change of the trigger", async () => {
    const flow = await createFlow();
    const { url } = flow.trigger.config;
    const changed = await update(flow.id, { trigger: { type: "webhook", config: { method: "GET", url: "http://x" } } });
    expect(changed.data.trigger?.config).toEqual({ method: "GET", url });
    await update(flow.id, { trigger: { type: "manual" } });
    await update(flow.id, { trigger: { type: "webhook" } });
    expect((await read(flow.id)).trigger.config.url).toBe(url);
  });
});

describe("versions", () => {
  // Proves flows.update.new-version
  it.each<[string, unknown, number]>([
    ["name", "Other", 1],
    ["status", "inactive", 1],
    ["tags", ["x"], 1],
    ["settings", { canvas: { zoom: 2 } }, 1],
    ["variables", { a: 1 }, 1],
    ["trigger", { type: "webhook" }, 1],
    ["variables", { a: 2 }, 2],
    ["nodes", [], 2],
    ["edges", [], 1],
    ["trigger", { type: "webhook", config: { method: "PUT" } }, 2],
  ])("%s: %j leads to version %i", async (field, value, version) => {
    const flow = await createFlow({ variables: { a: 1 }, nodes: [node("n", "log")] });
    const answer = await update(flow.id, { [field]: value });
    expect(answer.headers.get("etag")).toBe(`"${version}"`);
    expect((await read(flow.id)).version).toBe(version);
  });

  // Proves flows.versions.ran
  it("an execution names the version that it ran, and later changes do not affect it", async () => {
    const flow = await createFlow({ nodes: [transform("t", "'one'")] });
    const first = await execute(flow.id);
    await update(flow.id, { nodes: [transform("t", "'two'")] });
    const second = await execute(flow.id);
    expect([first.output, second.output]).toEqual(["one", "two"]);
    expect(await readExecution(first.executionId)).toMatchObject({ flowVersion: 1, output: "one" });
    expect(await readExecution(second.executionId)).toMatchObject({ flowVersion: 2 });
  });
});

describe("If-Match", () => {
  // Proves flows.update.if-match
  it.each(['"1"', "*", '"7", "1"'])("%s matches version 1", async (tag) => {
    const { id } = await createFlow();
    expect((await update(id, { name: "New" }, { "if-match": tag })).status).toBe(200);
  });

  // Proves errors.conflict, flows.update.if-match
  it.each(['"2"', 'W/"1"', "1", '""'])("%s does not: 409, and nothing is written", async (tag) => {
    const flow = await createFlow();
    const answer = await update(flow.id, { name: "New", variables: { a: 1 } }, { "if-match": tag });
    expectRefusal(answer, 409, "CONFLICT");
    expect(await read(flow.id)).toMatchObject({
      name: flow.name,
      variables: {},
      version: 1,
      updatedAt: flow.updatedAt,
    });
  });
});

describe("If-Match with a time", () => {
  const tagOf = ({ version, updatedAt }: { version: number; updatedAt: string }) => `"${version} ${updatedAt}"`;

  it("matches the state that was read, and no state after a change without a new version", async () => {
    const flow = await createFlow();
    const sent = { settings: { canvas: { notes: [] } } };
    expect((await update(flow.id, sent, { "if-match": tagOf(flow) })).status).toBe(200);
    const now = await read(flow.id);
    expect(now.version).toBe(flow.version);
    expectRefusal(await update(flow.id, { name: "Late" }, { "if-match": tagOf(flow) }), 409, "CONFLICT");
    expect((await update(flow.id, { name: "In time" }, { "if-match": tagOf(now) })).status).toBe(200);
  });
});

describe("400", () => {
  // Proves flows.update.invalid
  it.each<[string, unknown]>([
    ["name", ""],
    ["name", null],
    ["status", "paused"],
    ["tags", [""]],
    ["variables", []],
    ["trigger", { type: "email" }],
    ["nodes", {}],
    ["edges", "x"],
    ["settings", { timeoutMs: -1 }],
  ])("%s: %j", async (field, value) => {
    const flow = await createFlow();
    const answer = await update(flow.id, { [field]: value, description: "unwritten" });
    expect(Object.keys(detailsOf(answer))[0]).toMatch(new RegExp(`^${field}`));
    expect((await read(flow.id)).description).toBeNull();
  });

  // Proves flows.create.sound-graph
  it("the graph is checked as it would be afterwards", async () => {
    const { id } = await createFlow({ nodes: [node("a", "log"), node("b", "log")], edges: [edge("a", "b")] });
    expectInvalid(await update(id, { nodes: [node("a", "log")] }), "edges[0].target");
    expectInvalid(await update(id, { edges: [edge("a", "b"), edge("b", "a")] }), "edges[1]");
    expect(await read(id)).toMatchObject({ version: 1 });
  });

  // Proves flow-status.active-needs-config
  it("an active flow stays runnable", async () => {
    const flow = await createFlow({ nodes: [node("call", "http-request")] });
    expectInvalid(await update(flow.id, { status: "active" }), "nodes[0].config.url");
    await update(flow.id, { status: "active", nodes: [node("call", "http-request", { url: "https://a.example" })] });
    expectInvalid(await update(flow.id, { nodes: [node("call", "http-request")] }), "nodes[0].config.url");
    const both = await update(flow.id, { status: "draft", nodes: [node("call", "http-request")] });
    expect(both.status).toBe(200);
  });

  // Proves flows.update.missing
  it("404 for a missing flow, unless the body is invalid as well", async () => {
    const missing = "flow_01hzzzzzzzzzzzzzzzzzzzzzzz";
    expectRefusal(await update(missing, { name: "x" }), 404, "NOT_FOUND");
    expectRefusal(await update("nonsense", { name: "x" }), 404, "NOT_FOUND");
    expectInvalid(await update(missing, { name: "" }), "name");
  });
});
