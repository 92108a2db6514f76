import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { type FlowTrigger, isCalledTrigger } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { FlowDocument, FlowDocumentTest } from "./flow-document.ts";
import { Lines, parseYaml } from "./parse-yaml.ts";
import { Trivia, triviaOf } from "./trivia.ts";
import { type GraphText, graphText } from "./write-graph.ts";
import { type Entries, type Written, YamlWriter } from "./write-yaml.ts";

export interface WriteOptions {
  /**
   * The flow's previous text: its comments and empty lines stay with their entries. Ignored if it cannot be parsed.
   */
  readonly previous?: string;
  /**
   * Where editors find the JSON Schema, for line 1. Default: the previous text's, otherwise that of a service on this
   * machine.
   */
  readonly schemaUrl?: string;
}

export const schemaPath = "/api/v1/flow-schema.json";
const schemaLine = /^# yaml-language-server: \$schema=(\S+)[ \t\r]*$/;
const defaultSchemaUrl = `http://localhost:3000${schemaPath}`;

/**
 * A flow as canonical YAML 1.2: the same flow always gives the same bytes. Omits generated values: the time of export,
 * trigger URLs, derived edge ids. Ends with a line feed.
 */
export function writeFlowText(flow: FlowDocument, options: WriteOptions = {}): string {
  return [...flowTextPieces(flow, options)].join("");
}

/** The same in chunks, so that the caller can yield in between and no long text is in memory as a whole. */
export function* flowTextPieces(
  { version, flow, tests }: FlowDocument,
  { previous = "", schemaUrl }: WriteOptions = {},
): Generator<string, void, undefined> {
  const writer = new YamlWriter(previous === "" ? new Trivia() : readTrivia(previous));
  const known = schemaLine.exec(previous.split("\n", 1)[0]?.replace("\ufeff", "") ?? "")?.[1];
  writer.line(`# yaml-language-server: $schema=${schemaUrl ?? known ?? defaultSchemaUrl}`);
  const graph = graphText(flow.nodes, flow.edges, false);
  const { canvas, ...settings } = flow.settings ?? {};
  const put = function* (key: string, value: Written) {
    for (const _ of writer.entry(key, value)) yield writer.take();
  };
  yield* put("version", version);
  yield* put("name", flow.name);
  if (flow.description !== null) yield* put("description", flow.description);
  if (flow.tags !== undefined && flow.tags.length > 0) yield* put("tags", flow.tags);
  yield* put("trigger", triggerText(flow.trigger, graph));
  if (graph === null) {
    yield* put("nodes", flow.nodes as unknown as Written);
    yield* put("edges", flow.edges as unknown as Written);
  } else yield* put("nodes", graph.nodes);
  yield writer.take();
  if (flow.variables !== undefined) yield* put("variables", flow.variables);
  const isBare = canvas !== undefined && Object.keys(settings).length === 0;
  if (flow.settings !== undefined && !isBare) yield* put("settings", settings as JsonObject);
  yield writer.take();
  if (tests !== undefined) yield* put("tests", tests.map(testText));
  yield writer.take();
  const layout: Entries = new Map(graph?.layout);
  if (canvas !== undefined) layout.set("canvas", canvas);
  if (layout.size > 0) yield* put("layout", layout);
  writer.end();
  yield writer.take();
}

function triggerText({ type, config }: FlowTrigger, graph: GraphText | null): Entries {
  const { url: _, ...own } = config;
  const written = isCalledTrigger(type) ? own : config;
  const text: Entries = new Map([["type", type]]);
  if (Object.keys(written).length > 0) text.set("config", written);
  if (graph?.start !== undefined) text.set("next", graph.start);
  return text;
}

const expectDefaults = { status: "completed" };
const testDefaults: { readonly [field: string]: unknown } = { recordings: {}, expect: expectDefaults };
const triggerDefaults: { readonly [field: string]: unknown } = { method: "POST", headers: {}, query: {}, body: {} };

/** A test without default values. */
function testText(test: FlowDocumentTest): Entries {
  const { name, trigger, now, recordings, deep, expect } = test;
  const call = partsOf({ ...trigger }, triggerDefaults, ["method", "headers", "query", "body"]);
  const { status, nodes, ignore, ...others } = expect;
  const own = { trigger: call.size > 0 ? call : undefined, now, recordings, deep };
  const text = partsOf({ name, ...own }, testDefaults, ["name", "trigger", "now", "recordings", "deep"]);
  if (!isDeepEqual(expect, testDefaults.expect)) {
    const expected = { status, ...others, nodes, ignore };
    text.set("expect", partsOf(expected, expectDefaults, ["status", ...Object.keys(others), "nodes", "ignore"]));
  }
  return text;
}

function partsOf(
  values: { readonly [key: string]: unknown },
  defaults: { readonly [key: string]: unknown },
  order: readonly string[],
): Entries {
  const isOwn = (key: string) => values[key] !== undefined && !isDeepEqual(values[key], defaults[key]);
  return new Map(order.filter(isOwn).map((key) => [key, values[key] as Written]));
}

function readTrivia(previous: string): Trivia {
  const lines = new Lines(previous);
  try {
    const { root, remarks } = parseYaml(previous, lines, true);
    const own = remarks.filter(({ at, text }) => lines.placeOf(at).line > 1 || !schemaLine.test(text));
    return triviaOf(root, own, (at) => lines.placeOf(at).column - 1);
  } catch {
    return new Trivia();
  }
}
