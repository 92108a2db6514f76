// Random flows of every form, and the expected content of their texts.
import fc from "fast-check";
import { edgeIdOf } from "#lib/engine/changes/flow-draft.ts";
import type { FlowEdge } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { hostileKeys, hostileTexts } from "./hostile-texts.ts";

const fragment = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ maxLength: 12 }),
);
export const anyText = fc.oneof(
  { weight: 4, arbitrary: fragment },
  { weight: 1, arbitrary: fc.array(fragment, { maxLength: 4 }).map((fragments) => fragments.join("")) },
  { weight: 1, arbitrary: fc.array(fragment, { maxLength: 4 }).map((fragments) => fragments.join("\n")) },
);
const anyKey = fc.oneof(fc.constantFrom(...hostileKeys), fc.string({ maxLength: 8 }));
const anyNumber = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  fc.constantFrom(0, 1e21, 1e-7, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, 0.1 + 0.2),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null));
/** Objects with own keys, including `__proto__`. */
const objectOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.array(fc.tuple(anyKey, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as JsonObject);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("json"), { maxLength: 4 }),
    objectOf(tie("json")),
  ),
}));
export const anyObject = objectOf(json);

const storable = (text: string) => text.replaceAll("\u0000", "\ufffd").toWellFormed();
const name = anyText.map((text) => storable(text).trim().slice(0, 200).trim().toWellFormed() || "a");
const id = fc
  .oneof(fc.constantFrom("a", "b", "c", "d", "e", "1", "2", "10", "01", "true", "null"), anyKey, name)
  .map((text) => storable(text).replaceAll("\u001f", "").slice(0, 200).toWellFormed() || "x");
const handle = fc.oneof(fc.constantFrom("true", "false", "error", "1", "2", "to"), id);
const place = fc.record({
  x: fc.oneof(fc.integer({ min: -500, max: 500 }), anyNumber),
  y: fc.integer({ min: 0, max: 9 }),
});

function edgesAmong(ids: readonly string[], storableOnly: boolean) {
  const text = storableOnly ? anyText.map(storable) : anyText;
  const edge = fc.record(
    {
      source: fc.constantFrom("trigger", ...ids),
      target: fc.constantFrom(...ids),
      sourceHandle: fc.option(handle),
      targetHandle: fc.option(id),
      label: fc.option(text),
      id: fc.constantFrom("derived", "own", "e-1"),
    },
    { requiredKeys: ["source", "target"] },
  );
  return fc.array(edge, { maxLength: 8 }).map((edges) =>
    edges.map((edge) => {
      if (edge.id !== "derived") return edge;
      return { ...edge, id: edgeIdOf(edge.source, edge.sourceHandle ?? null, edge.target) };
    }),
  );
}

const idsOf = fc.uniqueArray(
  id.filter((text) => text !== "trigger"),
  { minLength: 1, maxLength: 6 },
);

/** A loop's body: stored ones may lack any field. */
const body: fc.Arbitrary<JsonObject> = idsOf.chain((ids) => {
  const nodes = fc.tuple(
    ...ids.map((own) =>
      fc.record(
        {
          id: fc.constant(own),
          type: anyText,
          name: anyText,
          position: place,
          config: anyObject,
          disabled: fc.boolean(),
        },
        { requiredKeys: ["id", "type"] },
      ),
    ),
  );
  return fc.record({ nodes, edges: edgesAmong(ids, false) }) as unknown as fc.Arbitrary<JsonObject>;
});
const config = fc.oneof(
  { weight: 3, arbitrary: anyObject },
  { weight: 1, arbitrary: fc.tuple(anyObject, body).map(([own, inner]): JsonObject => ({ ...own, body: inner })) },
  { weight: 1, arbitrary: fc.tuple(anyObject, json).map(([own, inner]): JsonObject => ({ ...own, body: inner })) },
);

const test = fc.record(
  {
    name,
    trigger: fc.record({
      method: fc.constantFrom("POST", "GET"),
      headers: fc.dictionary(fc.constantFrom("a", "b-c", "1"), anyText),
      query: fc.dictionary(fc.constantFrom("q", "yes"), anyText),
      body: json,
    }),
    now: fc.constant("2026-01-31T10:00:00.000Z"),
    recordings: fc.dictionary(fc.constantFrom("a", "b", "1"), fc.record({ output: json })),
    deep: fc.boolean(),
    expect: fc.record(
      { status: fc.constantFrom("completed" as const, "failed" as const), output: json, ignore: fc.constant(["a.b"]) },
      { requiredKeys: ["status"] },
    ),
  },
  { requiredKeys: ["name", "trigger", "recordings", "expect"] },
);

export const anyFlow: fc.Arbitrary<FlowDocument> = idsOf.chain((ids) => {
  const nodes = fc.tuple(
    ...ids.map((own) =>
      fc.record(
        {
          ...{ id: fc.constant(own), type: anyText, position: place, config, disabled: fc.boolean() },
          name: fc.oneof(fc.constant(own), name),
        },
        { requiredKeys: ["id", "type", "position", "config", "name"] },
      ),
    ),
  );
  const settings = fc.record({ timeoutMs: fc.constant(5_000), canvas: anyObject }, { requiredKeys: [] });
  return fc.record(
    {
      version: fc.constantFrom("1.0.0", "1", "1.2"),
      flow: fc.record(
        {
          ...{
            name,
            description: fc.option(anyText.map((text) => storable(text.slice(0, 4_000)))),
            nodes,
            edges: edgesAmong(ids, true),
          },
          trigger: fc.record({ type: fc.constantFrom("manual" as const, "schedule" as const), config: anyObject }),
          ...{ variables: anyObject, settings },
          tags: fc.array(
            name.map((text) => text.slice(0, 60).toWellFormed()),
            { minLength: 1, maxLength: 3 },
          ),
        },
        { requiredKeys: ["name", "description", "nodes", "edges", "trigger"] },
      ),
      tests: fc.array(test, { maxLength: 2 }),
    },
    { requiredKeys: ["version", "flow"] },
  ) as unknown as fc.Arbitrary<FlowDocument>;
});

/**
 * The part of a flow that its text must preserve: no derived ids, no empty handles or labels, and only the order of
 * edges out of and into each node. Independent of the tested code.
 */
export function meaningOf({ version, flow, tests }: FlowDocument): unknown {
  return {
    version,
    ...(tests === undefined ? {} : { tests }),
    flow: { ...flow, ...graphMeaning(flow.nodes, flow.edges) },
  };
}

function graphMeaning(nodes: readonly unknown[], edges: readonly FlowEdge[]): object {
  const plain = edges.map((edge) => {
    const kept = Object.entries(edge).filter(
      ([key, value]) => value != null && !(key === "sourceHandle" && value === ""),
    );
    const own = Object.fromEntries(kept) as unknown as FlowEdge;
    const { id, ...rest } = own;
    return id === edgeIdOf(own.source, own.sourceHandle ?? null, own.target) ? rest : own;
  });
  const leaving = Object.entries(Object.groupBy(plain, ({ source }) => JSON.stringify(source)));
  const coming = Object.entries(Object.groupBy(plain, ({ target }) => JSON.stringify(target)));
  const sorted = leaving.map(([source, own = []]) => {
    const areNamed = own.every(({ sourceHandle }) => sourceHandle !== undefined);
    return [source, areNamed ? Map.groupBy(own, ({ sourceHandle }) => sourceHandle) : own];
  });
  return {
    nodes: nodes.map((node) => nodeMeaning(node as JsonObject)),
    leaving: Object.fromEntries(sorted),
    coming: Object.fromEntries(coming.map(([target, own = []]) => [target, own.map(({ source }) => source)])),
    edges: edges.length,
  };
}

function nodeMeaning(node: JsonObject): unknown {
  const body = isJsonObject(node.config) ? node.config.body : undefined;
  if (!isJsonObject(body) || !Array.isArray(body.nodes) || !Array.isArray(body.edges)) return node;
  const isGraph = body.nodes.every((node) => isJsonObject(node) && typeof node.id === "string");
  if (!isGraph) return node;
  return { ...node, config: { ...(node.config as JsonObject), body: graphMeaning(body.nodes, body.edges as never) } };
}
