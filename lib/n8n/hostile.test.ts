// Invalid, huge or hostile documents give a clear refusal, or a flow that can be stored.
import { describe, expect, test } from "vitest";
import { newFlow } from "#lib/contract/flows/flows.ts";
import { findGraphProblems } from "#lib/engine/graph.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { findConfigProblems, nodeTypes } from "#lib/nodes/registry.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { convertN8n } from "./convert.ts";
import { N8nDocumentError, n8nLimits } from "./document.ts";
import { dataCases } from "./testing/data-cases.ts";
import { expressionCases } from "./testing/expression-cases.ts";
import { gapCases } from "./testing/gap-cases.ts";
import { listCases } from "./testing/list-cases.ts";
import { mergeCases } from "./testing/merge-cases.ts";
import { outsideCases } from "./testing/outside-cases.ts";
import { serviceCases } from "./testing/service-cases.ts";
import { condition, manual, n8nDocument, n8nNode, set, webhook } from "./testing/workflows.ts";

async function sound(document: unknown) {
  const { flow, report } = await convertN8n(document, { pause: yieldTurn });
  const stored = newFlow.parse(flow);
  expect(findGraphProblems(stored.nodes, stored.edges, nodeTypes)).toEqual([]);
  for (const { node, reason } of report.gaps) expect((node + reason).isWellFormed()).toBe(true);
  return { flow: stored, report };
}

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "=",
  "={{",
  "={{ }}",
  "={{ $json }}",
  [],
  [[]],
  [null],
  {},
  { a: { b: [] } },
  { __rl: true },
  "\u0000",
  "\ud800",
];

describe("a document that is not a workflow", () => {
  test.each([null, undefined, 1, "x", [], {}, { nodes: {} }, { nodes: "x" }])("%j is refused", async (document) => {
    await expect(convertN8n(document)).rejects.toThrow(N8nDocumentError);
  });

  test("is refused with too many nodes, characters or levels, before it is converted", async () => {
    const nodes = Array.from({ length: 10_000 }, (_, index) => n8nNode(`n${index}`, "set"));
    await expect(convertN8n({ nodes, connections: {} })).rejects.toThrow("at most 1000 nodes");
    await expect(convertN8n({ nodes: [], text: "x".repeat(n8nLimits.charactersMax) })).rejects.toThrow("characters");
    let deep: unknown = [];
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    await expect(convertN8n({ nodes: [], deep })).rejects.toThrow("nested deeper");
  });
});

describe("wrong values anywhere", () => {
  const documents = [
    ...dataCases,
    ...listCases,
    ...outsideCases,
    ...serviceCases,
    ...expressionCases,
    ...mergeCases,
    ...gapCases,
  ].map(({ document }) => document as JsonObject);

  test("never prevent a conversion", async () => {
    let turn = 0;
    for (const document of documents) {
      for (const [at, node] of (document.nodes as JsonObject[]).entries()) {
        for (const name of Object.keys(node)) {
          turn += 1;
          const nodes = (document.nodes as JsonObject[]).with(at, { ...node, [name]: odd[turn % odd.length] as never });
          await sound({ ...document, nodes });
        }
        for (const name of Object.keys(node.parameters as JsonObject)) {
          turn += 1;
          const parameters = { ...(node.parameters as JsonObject), [name]: odd[turn % odd.length] as never };
          await sound({ ...document, nodes: (document.nodes as JsonObject[]).with(at, { ...node, parameters }) });
        }
      }
    }
    expect(turn).toBeGreaterThan(500);
  });

  test.each(odd)("connections and settings that are %j", async (value) => {
    const document = n8nDocument("x", [manual, set("A", { a: 1 })], []);
    await sound({ ...document, connections: value, settings: value, name: value });
    await sound({ ...document, connections: { Start: value } });
    await sound({ ...document, connections: { Start: { main: value } } });
    await sound({ ...document, connections: { Start: { main: [value] } } });
    await sound({ ...document, connections: { Start: { main: [[value]] } } });
  });
});

describe("names", () => {
  test.each(["", "y"])("are cut between characters, whatever their length: %j", async (before) => {
    const name = before + "😀".repeat(120);
    const rule = (outputKey: string) => ({
      renameOutput: true,
      outputKey,
      conditions: condition("={{ 1 }}", "equals"),
    });
    const { flow } = await sound(
      n8nDocument(
        "x",
        [
          webhook(),
          set("A", { a: 1 }),
          set("B", { a: 2 }),
          n8nNode(name, "noOp"),
          n8nNode("Ways", "switch", { rules: { values: [rule(name), rule("b\u0000")] } }, { version: 3.2 }),
          n8nNode("Ask", "wait", { resume: "form", formFields: { values: [{ fieldLabel: name }] } }),
          n8nNode("Lost", "nothingLikeIt", { text: `${before}${"😀".repeat(2_500)}` }),
        ],
        [
          "Webhook -> A",
          "Webhook -> B",
          `A -> ${name}`,
          `B -> ${name}`,
          `${name} -> Ways`,
          "Ways -> Ask",
          "Ask -> Lost",
        ],
      ),
    );
    for (const { type, config } of flow.nodes) expect([type, findConfigProblems(type, config)]).toEqual([type, []]);
  });

  test("that repeat are distinguished and reported", async () => {
    const { flow, report } = await sound(
      n8nDocument("x", [manual, set("A", { a: 1 }), set("A", { a: 2 })], ["Start -> A"]),
    );
    expect(flow.nodes.map(({ name }) => name)).toEqual(["A"]);
    expect(report.gaps.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("Another node is called “A” too"),
      expect.stringContaining("does not lead to it"),
    ]);
  });

  test("such as __proto__, constructor and trigger are ordinary names", async () => {
    const text = JSON.stringify(
      n8nDocument(
        "x",
        [
          manual,
          set("__proto__", { a: 1 }),
          set("constructor", { b: "={{ $('__proto__').item.json.a }}" }),
          set("trigger", { constructor: "={{ $json.b }}" }),
        ],
        [],
      ),
    ).replace(
      '"connections":{}',
      '"connections":{"Start":{"main":[[{"node":"__proto__"}]]},"__proto__":{"main":[[{"node":"constructor"}]]},"constructor":{"main":[[{"node":"trigger"}]]}}',
    );
    const { flow } = await sound(JSON.parse(text));
    expect(flow.nodes.map(({ id }) => id)).toEqual(["proto", "constructor", expect.stringMatching(/^trigger-\d+$/)]);
    expect(flow.edges).toHaveLength(2);
    expect(({} as { a?: number }).a).toBeUndefined();
    const types = ["__proto__", "constructor", "n8n-nodes-base.__proto__", "n8n-nodes-base.toString"];
    for (const type of types)
      await sound(n8nDocument("x", [manual, n8nNode("A", type.includes(".") ? type : `x.${type}`)], ["Start -> A"]));
  });

  test("with U+0000 and lone surrogates are made storable", async () => {
    const bad = "a\u0000b\ud800c";
    const { flow, report } = await sound(
      n8nDocument(
        bad,
        [manual, n8nNode(bad, `x.${bad}`, { text: `${bad} {{ x }}` }), n8nNode("Note", "stickyNote", { content: bad })],
        [`Start -> ${bad}`],
      ),
    );
    expect(flow.nodes).toMatchObject([{ type: "stop", name: "a\ufffdb\ufffdc" }]);
    expect(report.gaps).toHaveLength(1);
  });
});

describe("connections", () => {
  test("to nowhere, to themselves and in cycles give an acyclic graph", async () => {
    const nodes = [
      manual,
      ...["A", "B", "C"].map((name) => set(name, { x: "={{ $json.y }}" })),
      n8nNode("L", "splitInBatches", {}, { version: 3 }),
    ];
    const { flow, report } = await sound(
      n8nDocument("x", nodes, [
        "Start -> A",
        "A -> B",
        "B -> A",
        "A -> A",
        "B -> C",
        "C -> Nowhere",
        "Void -> A",
        "C -> L",
        "L:1 -> L",
        "L -> B",
      ]),
    );
    expect(flow.nodes.length).toBeGreaterThan(4);
    expect(report.gaps.filter(({ reason }) => reason.includes("leads back")).length).toBeGreaterThanOrEqual(2);
    expect(report.gaps.filter(({ reason }) => reason.includes("there is no such node"))).toHaveLength(2);
  });

  test("into and out of loops are dropped, and nested loops are found", async () => {
    const loop = (name: string) => n8nNode(name, "splitInBatches", {}, { version: 3 });
    const nodes = [
      manual,
      loop("Outer"),
      loop("Inner"),
      set("A", { a: 1 }),
      set("B", { b: 1 }),
      set("C", { c: "={{ $('A').item.json.a }}" }),
    ];
    const { flow } = await sound(
      n8nDocument("x", nodes, [
        "Start -> Outer",
        "Outer:1 -> Inner",
        "Inner:1 -> A",
        "A -> Inner",
        "Inner -> B",
        "B -> Outer",
        "Outer -> C",
      ]),
    );
    const outer = flow.nodes.find(({ id }) => id === "outer") as unknown as {
      config: { body: { nodes: { id: string; type: string }[] } };
    };
    expect(outer.config.body.nodes.map(({ id, type }) => `${id}: ${type}`)).toEqual(["inner: loop", "b: transform"]);
    await sound(
      n8nDocument("x", nodes, [
        "Start -> Outer",
        "Start -> A",
        "Outer:1 -> A",
        "A -> Outer",
        "A -> C",
        "Inner -> A",
        "C -> Inner",
      ]),
    );
  });
});
