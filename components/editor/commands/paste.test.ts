import { expect, test } from "vitest";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { canvasOf, withCanvas } from "../draft/canvas-settings.ts";
import { takenIds } from "../draft/node-ids.ts";
import { draftOf, nodeOf, testTypes } from "../testing/draft-of.ts";
import { makeNode } from "./add-node.ts";
import { copyNodes, paste, readCopiedNodes } from "./paste.ts";

const [logType] = testTypes;
const program = (type: string, field: string, format: string) => ({
  ...(testTypes.find((known) => known.type === type) ?? logType),
  type,
  configSchema: { type: "object", properties: { [field]: { format } } },
});
const loopTypes = [
  ...testTypes.filter(({ type }) => type !== "loop"),
  program("loop", "items", "expression"),
  program("transform", "transform", "expression"),
  program("code", "code", "code"),
];

const from = draftOf({
  nodes: [
    nodeOf("ask", { name: "Ask", position: { x: 100, y: 50 } }),
    nodeOf("tell", {
      name: "Tell",
      position: { x: 400, y: 90 },
      config: { message: "{{ $nodes['ask'].output }} {{ $nodes['far'].output }}" },
    }),
    nodeOf("far"),
  ],
  edges: [
    { source: "ask", target: "tell" },
    { source: "far", target: "tell" },
  ],
});

function copiedInto(draft: FlowDraft, ids: readonly string[], at = { x: 0, y: 0 }) {
  const copied = readCopiedNodes(copyNodes(from, new Set(ids), testTypes) ?? "", testTypes);
  if (copied === null) throw new Error("nothing was copied");
  return paste(draft, copied, at, testTypes);
}

test("pasted nodes get ids that are free, and read one another by them", () => {
  const { draft, ids } = copiedInto(from, ["ask", "tell"]);
  expect([...ids]).toEqual(["ask-2", "tell-2"]);
  const tell = draft.nodes.find((node) => node.id === "tell-2");
  expect(tell?.config.message).toBe("{{ $nodes['ask-2'].output }} {{ $nodes['far'].output }}");
  expect(tell?.name).toBe("Tell 2");
});

test("a loop is pasted with new ids at every depth, and everything in its bodies follows them", () => {
  const innermost = { nodes: [{ id: "deep", type: "code", config: { code: "return $nodes.ship.output;" } }] };
  const body = {
    nodes: [
      { id: "ship", type: "log", config: { message: "{{ $nodes.ask.output }} {{ $nodes['far'].output }}" } },
      { id: "number", type: "transform", config: { transform: "$nodes.ship.output.body" } },
      { id: "inner", type: "loop", config: { items: "$nodes.number.output", body: innermost } },
    ],
    edges: [{ source: "ship", target: "number", sourceHandle: "" }],
  };
  const loop = nodeOf("each", { type: "loop", config: { items: "$nodes.ask.output", body } });
  const flow = draftOf({ nodes: [nodeOf("ask"), loop, nodeOf("far")] });
  const copied = readCopiedNodes(copyNodes(flow, new Set(["ask", "each"]), testTypes) ?? "", loopTypes);
  if (copied === null) throw new Error("nothing was copied");
  const { draft, ids } = paste(flow, copied, { x: 0, y: 0 }, loopTypes);
  expect([...ids]).toEqual(["ask-2", "each-2"]);
  expect(draft.nodes[1]).toEqual(loop);
  expect(draft.nodes.at(-1)?.config).toEqual({
    items: "$nodes['ask-2'].output",
    body: {
      nodes: [
        { id: "ship-2", type: "log", config: { message: "{{ $nodes['ask-2'].output }} {{ $nodes['far'].output }}" } },
        { id: "number-2", type: "transform", config: { transform: "$nodes['ship-2'].output.body" } },
        {
          id: "inner-2",
          type: "loop",
          config: {
            items: "$nodes['number-2'].output",
            body: { nodes: [{ id: "deep-2", type: "code", config: { code: "return $nodes['ship-2'].output;" } }] },
          },
        },
      ],
      edges: [{ source: "ship-2", target: "number-2", sourceHandle: "" }],
    },
  });
});

test("a new node does not take the id of one in a loop's body", () => {
  const body = { nodes: [{ id: "log", type: "log" }] };
  const draft = draftOf({ nodes: [nodeOf("each", { type: "loop", config: { body } })] });
  expect(makeNode(draft, { type: "log", name: "Log" }, { x: 0, y: 0 }, takenIds(draft.nodes, testTypes)).id).toBe(
    "log-2",
  );
});

test("edges between pasted nodes come along, edges to others do not", () => {
  const { draft } = copiedInto(draftOf(), ["ask", "tell"]);
  expect(draft.edges.map(({ source, target }) => [source, target])).toEqual([["ask", "tell"]]);
});

test("an id that is free stays, and one made for a pasted node is not given twice", () => {
  const { ids } = copiedInto(draftOf({ nodes: [nodeOf("ask")] }), ["ask", "tell", "far"]);
  expect([...ids]).toEqual(["ask-2", "tell", "far"]);
  const twice = paste(
    draftOf({ nodes: [nodeOf("n")] }),
    { nodes: [nodeOf("n"), nodeOf("n-2")], edges: [], notes: [], groups: [], bodies: {} },
    { x: 0, y: 0 },
    testTypes,
  );
  expect(new Set(twice.draft.nodes.map((node) => node.id)).size).toBe(3);
});

test("the pasted nodes keep their places to one another", () => {
  const { draft } = copiedInto(draftOf(), ["ask", "tell"], { x: 10, y: 20 });
  expect(draft.nodes.map((node) => node.position)).toEqual([
    { x: 10, y: 20 },
    { x: 310, y: 60 },
  ]);
});

test("a group is copied with all that is in it, and a note with its text; both get ids that are free", () => {
  const note = { id: "note:note", x: 60, y: 0, width: 200, height: 100, text: "Why", color: "blue" as const };
  const group = { id: "group:group", name: "Pair", nodeIds: ["ask", "tell"], collapsed: true };
  const drawn = withCanvas(from, { notes: [note], groups: [group] });
  const copied = readCopiedNodes(copyNodes(drawn, new Set(["group:group", "note:note"]), testTypes) ?? "", testTypes);
  if (copied === null) throw new Error("nothing was copied");
  const { draft, ids } = paste(drawn, copied, { x: 0, y: 0 }, testTypes);
  expect([...ids]).toEqual(["ask-2", "tell-2", "note:note-2", "group:group-2"]);
  expect(canvasOf(draft).groups[1]).toEqual({ ...group, id: "group:group-2", nodeIds: ["ask-2", "tell-2"] });
  expect(canvasOf(draft).notes[1]).toEqual({ ...note, id: "note:note-2", x: 0, y: 0 });
  expect(draft.nodes.find(({ id }) => id === "ask-2")?.position).toEqual({ x: 40, y: 50 });
});

test("an exported flow is pasted as its nodes; other text is not", () => {
  expect(
    readCopiedNodes(JSON.stringify({ version: "1.0.0", flow: { nodes: [{ id: "a", type: "log" }] } }), testTypes)
      ?.nodes,
  ).toHaveLength(1);
  expect(
    readCopiedNodes(
      JSON.stringify({ name: "A", trigger: { type: "manual" }, nodes: [{ id: "a", type: "log" }] }),
      testTypes,
    )?.nodes,
  ).toHaveLength(1);
  for (const text of [
    "",
    "hello",
    "{}",
    "[]",
    '{"kind":"millrace/nodes","nodes":[]}',
    '{"kind":"millrace/nodes","nodes":[{"id":""}]}',
  ]) {
    expect(readCopiedNodes(text, testTypes)).toBeNull();
  }
});

test("a flow that would get too many nodes is left alone", () => {
  const full = draftOf({ nodes: Array.from({ length: 1_000 }, (_, index) => nodeOf(`n${index}`)) });
  expect(() => copiedInto(full, ["ask"])).toThrow("at most 1000 nodes");
});

test("a pasted node keeps its name where that is free, even one that ends in a number", () => {
  const step = nodeOf("step", { name: "Step 2" });
  const copied = readCopiedNodes(copyNodes(draftOf({ nodes: [step] }), new Set(["step"]), testTypes) ?? "", testTypes);
  if (copied === null) throw new Error("nothing was copied");
  const once = paste(draftOf(), copied, { x: 0, y: 0 }, testTypes).draft;
  const twice = paste(once, copied, { x: 0, y: 0 }, testTypes).draft;
  expect(twice.nodes.map(({ name }) => name)).toEqual(["Step 2", "Step"]);
});

test("copies that share an id get one each, and their references and edges lead to the first", () => {
  const body = { nodes: [{ id: "ship", type: "log", config: { message: "{{ $nodes.ask.output }}" } }] };
  const nodes = [nodeOf("ask"), nodeOf("ask"), nodeOf("each", { type: "loop", config: { body } }), nodeOf("ship")];
  const text = JSON.stringify({ kind: "millrace/nodes", nodes, edges: [{ source: "ask", target: "ship" }] });
  const copied = readCopiedNodes(text, testTypes);
  if (copied === null) throw new Error("nothing was copied");
  expect(copied.nodes.map(({ id }) => id)).toEqual(["ask", "ask-2", "each", "ship-2"]);
  const { draft, ids } = paste(draftOf(), copied, { x: 0, y: 0 }, testTypes);
  expect(ids.size).toBe(4);
  expect(new Set(draft.nodes.map(({ id }) => id)).size).toBe(4);
});

test("copies that no flow could be saved with are refused: nested too deeply, or of an unknown type", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const node = `{"id": "a", "type": "log", "config": {"message": ${deep}}}`;
  expect(() => readCopiedNodes(`{"kind": "millrace/nodes", "nodes": [${node}]}`, testTypes)).toThrow(
    /^A flow may be nested \d+ levels deep$/,
  );
  const unknown = { kind: "millrace/nodes", nodes: [nodeOf("a", { type: "nope" })] };
  const copied = readCopiedNodes(JSON.stringify(unknown), testTypes);
  if (copied === null) throw new Error("nothing was copied");
  expect(() => paste(draftOf(), copied, { x: 0, y: 0 }, testTypes)).toThrow("This server has no node type “nope”");
});
