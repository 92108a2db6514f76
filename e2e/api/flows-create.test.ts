import { describe, expect, it } from "vitest";
import { type Answer, get, post, send } from "#e2e/support/api-client.ts";
import { createFlow, edge, minimalFlow, node, type TestFlow, transform } from "#e2e/support/flows.ts";
import { detailsOf, expectInvalid } from "#e2e/support/refusals.ts";

const create = (body: unknown): Promise<Answer<TestFlow>> => post("/flows", body);
const withField = (field: string, value: unknown) => create({ ...minimalFlow, [field]: value });

describe("a created flow", () => {
  // `post` and `get` check that answers are as documented.
  it("may hold unfinished settings of its trigger while it is a draft", async () => {
    const unfinished = [
      { type: "webhook", config: { authentication: "bearer", credential: 7 } },
      { type: "schedule", config: { cron: 7, timezone: null, misfire: [] } },
    ];
    for (const trigger of unfinished) {
      const made = await create({ name: "Unfinished", trigger, nodes: [] });
      expect([made.status, made.data.trigger]).toMatchObject([201, trigger]);
      expect((await get<TestFlow>(`/flows/${made.data.id}`)).data.trigger).toEqual(made.data.trigger);
    }
  });

  // Proves conventions.envelope, flow-status.create-omitted, flow.description, flow.status-default
  // Proves flow.nodes-required, flow.edges, flows.create.created
  it("is answered with 201 and all its fields, including defaults", async () => {
    const answer = await create({ name: "Bare", trigger: { type: "webhook" }, nodes: [] });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ success: true });
    const { id, createdAt, updatedAt, trigger, ...rest } = answer.data;
    expect(rest).toEqual({
      name: "Bare",
      description: null,
      status: "draft",
      tags: [],
      variables: {},
      nodes: [],
      edges: [],
      version: 1,
    });
    expect(id).toMatch(/^flow_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updatedAt).toBe(createdAt);
    expect(trigger).toEqual({ type: "webhook", config: { method: "POST", url: expect.any(String) } });
  });

  // Proves flow-status.create-given, flow.tags, flow.variables, flow.settings
  it("keeps the given values", async () => {
    const given = {
      name: "Full",
      description: "All there is",
      status: "inactive",
      tags: ["one", "two"],
      variables: { region: "eu", nested: { list: [1, null, "x", { deep: true }] } },
      nodes: [{ id: "a", type: "log", name: "Note", position: { x: -1.5, y: 20 }, config: { message: "hi" } }],
      edges: [{ id: "e1", source: "trigger", target: "a", label: "go" }],
      settings: { timeoutMs: 5_000, canvas: { viewport: { x: 1, y: 2, zoom: 0.5 } } },
    };
    const { data } = await create({ ...given, trigger: { type: "webhook", config: { method: "PUT", note: "mine" } } });
    expect(data).toMatchObject(given);
    expect(data.trigger.config).toMatchObject({ method: "PUT", note: "mine" });
  });

  // Proves trigger.url, trigger.url-of-clients
  it("has a generated trigger URL", async () => {
    const sent = { type: "webhook", config: { url: "http://evil.example/take-over" } };
    const { data } = await withField("trigger", sent);
    expect(data.trigger.config.url).toMatch(/^http:\/\/[^/]+\/api\/v1\/webhooks\/hook_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    const other = await createFlow();
    expect(other.trigger.config.url).not.toBe(data.trigger.config.url);
  });

  // Proves trigger.url-form
  it("is not where the Host header says", async () => {
    const { data } = await post<TestFlow>("/flows", minimalFlow, { headers: { "x-forwarded-host": "evil.example" } });
    expect(data.trigger.config.url).not.toContain("evil");
  });

  // Proves node.defaults
  it("has nodes named by id, at the origin and without config by default", async () => {
    const { nodes } = await createFlow({ nodes: [{ id: "only", type: "log" }] });
    expect(nodes).toEqual([{ id: "only", type: "log", name: "only", position: { x: 0, y: 0 }, config: {} }]);
  });

  // Proves edge.more-fields
  it("has edges with only the fields that were sent", async () => {
    const nodes = [node("check", "if-else"), node("a", "log"), node("b", "log")];
    const edges = [
      { source: "check", target: "a" },
      { source: "check", target: "b", sourceHandle: "false", targetHandle: "in", label: "No", id: "x" },
    ];
    expect((await createFlow({ nodes, edges })).edges).toEqual(edges);
  });

  // Proves conventions.unknown-fields, flow.id, flow.created-at
  it("ignores read-only and unknown fields", async () => {
    const answer = await create({ ...minimalFlow, id: "flow_mine", createdAt: "1999-01-01", version: 9, foo: 1 });
    expect(answer.status).toBe(201);
    expect(answer.data).toMatchObject({ version: 1 });
    expect(answer.data.id).not.toBe("flow_mine");
    expect(answer.data.createdAt).not.toContain("1999");
    expect(answer.data).not.toHaveProperty("foo");
  });

  // Proves flows.create.same-name
  it("may share its name with others, and its name is trimmed", async () => {
    expect((await createFlow({ name: "  Twice " })).name).toBe("Twice");
    expect((await createFlow({ name: "Twice" })).name).toBe("Twice");
  });

  // Proves node.config-while-draft, node.config-when-active
  it("may be unfinished as a draft, but not to be active", async () => {
    const nodes = [
      node("call", "http-request"),
      node("check", "if-else"),
      node("pick", "switch"),
      transform("t", "1 +"),
    ];
    expect((await withField("nodes", nodes)).status).toBe(201);
    const details = detailsOf(await create({ ...minimalFlow, nodes, status: "active" }));
    expect(Object.keys(details).sort()).toEqual([
      "nodes[0].config.url",
      "nodes[1].config.condition",
      "nodes[2].config.cases",
      "nodes[2].config.value",
      "nodes[3].config.transform",
    ]);
  });

  // Proves node.config-with-templates
  it("may be active with templates where values will come later", async () => {
    const nodes = [node("call", "http-request", { url: "{{ $vars.url }}", timeout: "{{ $vars.ms }}" })];
    expect((await create({ ...minimalFlow, nodes, status: "active" })).data.status).toBe("active");
  });
});

describe("400 names the missing or invalid field", () => {
  // Proves flow.name-required, flow.trigger-required, flow.nodes-required, flows.create.missing
  it("name, trigger and nodes are required, all reported at once", async () => {
    expect(detailsOf(await create({}))).toEqual({
      name: "is required",
      trigger: "is required",
      nodes: "is required",
    });
  });

  it("an empty body is an empty object", async () => {
    expect(Object.keys(detailsOf(await create(undefined))).sort()).toEqual(["name", "nodes", "trigger"]);
  });

  // Proves errors.validation-error, flow.description-bound, flow.status, flow.tags-bounds, flow.text-in-names
  // Proves flows.create.invalid, trigger.types
  it.each<[string, unknown, string]>([
    ["name", "", "name"],
    ["name", "   ", "name"],
    ["name", 5, "name"],
    ["name", null, "name"],
    ["name", "x".repeat(256), "name"],
    ["name", "a\u0000b", "name"],
    ["name", "a\ud800", "name"],
    ["description", 5, "description"],
    ["description", "x".repeat(5_001), "description"],
    ["status", "ACTIVE", "status"],
    ["status", "deleted", "status"],
    ["status", null, "status"],
    ["tags", "one", "tags"],
    ["tags", [1], "tags[0]"],
    ["tags", ["ok", ""], "tags[1]"],
    ["tags", ["x".repeat(65)], "tags[0]"],
    ["tags", ["a\u0000"], "tags[0]"],
    ["tags", Array(51).fill("x"), "tags"],
    ["variables", [], "variables"],
    ["variables", "x", "variables"],
    ["variables", null, "variables"],
    ["trigger", null, "trigger"],
    ["trigger", {}, "trigger.type"],
    ["trigger", { type: "cron" }, "trigger.type"],
    ["trigger", { type: "webhook", config: { method: "FETCH" } }, "trigger.config.method"],
    ["trigger", { type: "webhook", config: { authentication: "magic" } }, "trigger.config.authentication"],
    ["trigger", { type: "webhook", config: [] }, "trigger.config"],
    ["nodes", null, "nodes"],
    ["nodes", {}, "nodes"],
    ["nodes", [5], "nodes[0]"],
    ["nodes", [{ type: "log" }], "nodes[0].id"],
    ["nodes", [node("", "log")], "nodes[0].id"],
    ["nodes", [node("x".repeat(256), "log")], "nodes[0].id"],
    ["nodes", [{ id: 5, type: "log" }], "nodes[0].id"],
    ["nodes", [node("a\u0000", "log")], "nodes[0].id"],
    ["nodes", [{ id: "a" }], "nodes[0].type"],
    ["nodes", [{ ...node("a", "log"), name: 5 }], "nodes[0].name"],
    ["nodes", [{ ...node("a", "log"), position: { x: "1", y: 0 } }], "nodes[0].position.x"],
    ["nodes", [{ ...node("a", "log"), config: [] }], "nodes[0].config"],
    ["edges", {}, "edges"],
    ["edges", [5], "edges[0]"],
    ["edges", [{ target: "a" }], "edges[0].source"],
    ["settings", 5, "settings"],
    ["settings", { timeoutMs: 0 }, "settings.timeoutMs"],
    ["settings", { timeoutMs: "30" }, "settings.timeoutMs"],
  ])("%s: %j", async (field, value, path) => {
    expectInvalid(await withField(field, value), path);
  });

  // Proves node.position
  it("a position that JSON can express but a number cannot", async () => {
    const nodes = '[{"id":"a","type":"log","position":{"x":1e999,"y":0}}]';
    const body = `{"name":"x","trigger":{"type":"webhook"},"nodes":${nodes}}`;
    expectInvalid(
      await send("POST", "/flows", body, { headers: { "content-type": "application/json" } }),
      "nodes[0].position.x",
    );
  });

  // Proves flow.tags-bounds
  it("names of 255 characters, 50 tags and descriptions of 5000 characters are accepted", async () => {
    const tags = Array.from({ length: 50 }, (_, index) => `${index}`.padStart(64, "t"));
    const answer = await create({ ...minimalFlow, name: "x".repeat(255), description: "d".repeat(5_000), tags });
    expect(answer.status).toBe(201);
    expect(answer.data.tags).toEqual(tags);
  });
});

describe("an invalid graph is refused on every write", () => {
  const a = node("a", "log");
  const b = node("b", "log");
  const c = node("c", "log");

  // Proves edge.ends, edge.no-cycle, edge.known-handle, flows.create.sound-graph, node.id-unique, node.known-types
  it.each<[string, unknown[], unknown[], string, RegExp]>([
    ["two nodes with one id", [a, a], [], "nodes[1].id", /"a"/],
    ["a node that takes the trigger's name", [node("trigger", "log")], [], "nodes[0].id", /reserved/],
    ["a node type that nobody knows", [node("a", "teleport")], [], "nodes[0].type", /http-request.*log/],
    ["an edge from nowhere", [a], [edge("x", "a")], "edges[0].source", /"x"/],
    ["an edge to nowhere", [a], [edge("a", "x")], "edges[0].target", /"x"/],
    ["an edge into the trigger", [a], [edge("a", "trigger")], "edges[0].target", /"trigger"/],
    ["a node that leads to itself", [a], [edge("a", "a")], "edges[0].target", /itself/],
    ["two nodes in a circle", [a, b], [edge("a", "b"), edge("b", "a")], "edges[1]", /cycle: a → b → a/],
    ["a longer circle", [a, b, c], [edge("a", "b"), edge("b", "c"), edge("c", "b")], "edges[2]", /b → c → b/],
    ["a handle that a log has not", [a, b], [edge("a", "b", "true")], "edges[0].sourceHandle", /error/],
    [
      "a handle that an if-else has not",
      [node("a", "if-else"), b],
      [edge("a", "b", "maybe")],
      "edges[0].sourceHandle",
      /true, false, error/,
    ],
    [
      "a case that a switch has not",
      [node("a", "switch", { cases: [{ id: "home" }] }), b],
      [edge("a", "b", "away")],
      "edges[0].sourceHandle",
      /home, default, error/,
    ],
  ])("%s", async (_, nodes, edges, path, message) => {
    const answer = await create({ ...minimalFlow, nodes, edges });
    expectInvalid(answer, path, message);
  });

  // Proves node.count
  it("1000 nodes and 5000 edges are allowed, one more of either is not", async () => {
    const nodes = Array.from({ length: 1_000 }, (_, index) => node(`n${index}`, "log"));
    const edges = Array.from({ length: 5_000 }, (_, index) => edge(`n${index % 500}`, `n${500 + (index % 499)}`));
    expect((await create({ ...minimalFlow, nodes, edges })).status).toBe(201);
    expectInvalid(await withField("nodes", [...nodes, node("more", "log")]), "nodes");
    expectInvalid(await create({ ...minimalFlow, nodes, edges: [...edges, edge("n0", "n500")] }), "edges");
  });
});
