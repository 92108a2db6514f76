import { describe, expect, test } from "vitest";
import { NodeFailure } from "../define.ts";
import { fakeRun } from "../http-request/fake-context.ts";
import { findConfigProblems, nodeDefinition } from "../registry.ts";
import { agent } from "./agent.ts";
import type { AgentSettings } from "./agent-step.ts";

const config = { credential: "openai", model: "m", prompt: "Find it" };
const find = { name: "find", flowId: "flow_1", input: { type: "object", properties: { a: { type: "string" } } } };

const begin = async (given: object) =>
  await Promise.resolve(agent.run(agent.config.parse({ ...config, ...given }), fakeRun([], {}).context)).catch(
    (error: unknown) => error,
  );

test("starts with a copy of what it was given, unaffected by later changes", async () => {
  const begun = await begin({ tools: [find], approval: ["find"], maxSteps: 3, tokenBudget: 9 });
  expect(begun).toMatchObject({ status: "iterating", concurrency: 1, stepsMax: 100 });
  const [settings] = (begun as { items: AgentSettings[] }).items;
  expect(settings).toMatchObject({
    asking: { credential: "openai", model: "m", repairs: 2 },
    messages: [{ role: "user", text: "Find it" }],
    tools: [{ name: "find", input: find.input, does: { kind: "flow", flowId: "flow_1" } }],
    ...{ approval: ["find"], maxSteps: 3, tokenBudget: 9 },
  });
  expect(settings?.asking).not.toHaveProperty("prompt");
});

test("describes the input of a table's action, and places an operation's values", async () => {
  const begun = await begin({
    tools: [
      { name: "count", table: "orders", action: "count" },
      { name: "get", url: "https://api.test/{id}", credential: "shop" },
    ],
  });
  const [settings] = (begun as { items: AgentSettings[] }).items;
  expect(settings?.tools).toMatchObject([
    { input: { properties: { where: {} } }, does: { kind: "table", table: "orders", action: "count" } },
    { does: { kind: "http", method: "GET", url: "https://api.test/{id}", credential: "shop" } },
  ]);
});

test("refuses approval for an unknown tool: a typo would let a tool be used without approval", async () => {
  const failed = await begin({ tools: [find], approval: ["fnid"] });
  expect(failed).toBeInstanceOf(NodeFailure);
  expect(failed).toMatchObject({ code: "INVALID_CONFIG", field: "approval" });
});

test.each([
  "https://{host}/",
  "https://api.test{more}/",
  "{url}",
  "ftp://api.test/",
  "//api.test/",
  "https://\t/{host}",
])("lets no model choose the host: %s", async (url) => {
  expect(await begin({ tools: [{ name: "get", url }] })).toMatchObject({ code: "INVALID_CONFIG", field: "tools" });
});

test("names the credentials of its tools, and counts as a write if it has tools", () => {
  const definition = nodeDefinition("agent");
  expect(definition?.credentialNames?.({ ...config, tools: [{ name: "a", url: "x", credential: "b" }, 1] })).toEqual([
    "openai",
    "b",
  ]);
  expect([definition?.acts?.(config), definition?.acts?.({ ...config, tools: [find] })]).toEqual(["read", "write"]);
});

describe("no config", () => {
  test.each([
    { tools: [{}] },
    { tools: [{ name: "a" }] },
    { tools: [{ flowId: "flow_1" }] },
    { tools: [{ ...find, url: "https://a.test" }] },
    { tools: [{ ...find, name: "a b" }] },
    { tools: [{ ...find, name: "final_answer" }] },
    { tools: [{ name: "a", table: "b" }] },
    { tools: [{ ...find, input: { type: "string" } }] },
    { tools: Array.from({ length: 65 }, (_, index) => ({ ...find, name: `a${index}` })) },
    { maxSteps: 101 },
    { tokenBudget: 0 },
  ])("is %.80j", (given) => {
    expect(agent.config.safeParse({ ...config, ...given }).success).toBe(false);
  });

  test("refuses two tools with one name", () => {
    const given = JSON.parse(JSON.stringify({ ...config, tools: [find, find] }));
    expect(findConfigProblems("agent", given)).toMatchObject([{ path: "tools[1].name" }]);
  });

  test.each([
    ["url", "https://api.test/{{ $credentials.shop.value }}/{id}"],
    ["headers", { "x-key": "{{ $credentials['shop'].value }}" }],
  ])("has a secret in a tool's %s, which would be masked before it is sent", (field, value) => {
    const tool = { name: "get", url: "https://api.test/{id}", [field]: value };
    expect(findConfigProblems("agent", { ...config, tools: [tool] } as never)).toMatchObject([
      { path: `tools[0].${field}` },
    ]);
  });
});
