import { flowLimits } from "#lib/engine/flow.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import type { Json, JsonObject } from "#lib/engine/json.ts";
import { type FlowDocument, flowDocument } from "./flow-document.ts";
import { Lines, parseYaml, pathOf, problemOf, TextError, type TextNode, textLimits } from "./parse-yaml.ts";
import { layoutFields, Reading, readGraph } from "./read-graph.ts";

/** A problem with a text, and its position. */
export interface TextProblem extends Place {
  /** `nodes.check.config.url`; empty for the whole text. */
  readonly path: string;
  readonly message: string;
}

/** A line and a column, both from 1; columns in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type ReadFlowText =
  | {
      readonly document: FlowDocument;
      /**
       * Finds the position of a flow's path, such as `nodes[2].config.url` or `edges[0].target`, and its path in the
       * text; if it is not there, those of the nearest enclosing value.
       */
      readonly placeOf: (path: string) => Place & { readonly path: string };
      readonly problems?: undefined;
    }
  | { readonly problems: readonly TextProblem[]; readonly document?: undefined };

const rootFields = [
  ...["version", "name", "description", "tags"],
  ...["trigger", "nodes", "edges", "variables", "settings", "tests", "layout"],
];

/**
 * Parses a flow's text, canonical or written by hand. Never throws. Checks the format, not whether the flow can run:
 * dangling edges, unknown types and so on are left to the flow checks. Takes linear time, about 0.1 s for 100,000
 * characters, for texts within `textLimits`.
 */
export function readFlowText(text: string): ReadFlowText {
  const lines = new Lines(text.length > textLimits.charactersMax ? "" : text);
  const refuse = (errors: readonly TextError[]): ReadFlowText => ({
    problems: errors
      .toSorted((a, b) => a.at - b.at)
      .slice(0, textLimits.problemsMax)
      .map((error) => problemOf(error, lines)),
  });
  const reading = new Reading();
  try {
    const { root } = parseYaml(text, lines);
    const raw = readRoot(reading, root);
    if (reading.problems.length > 0) return refuse(reading.problems);
    const parsed = flowDocument.safeParse(raw, { reportInput: true });
    const placeIn = (steps: readonly PropertyKey[], from: Json = raw) => nearest(reading, root, from, steps);
    if (parsed.success) {
      const unknown = unknownPaths(raw, parsed.data, [], []);
      if (unknown.length > 0) {
        return refuse(
          unknown.map((path) => {
            const node = placeIn(path);
            return new TextError("is not known here", node.keyAt, pathOf(node));
          }),
        );
      }
      const tooDeep = pathBelow((raw as JsonObject).flow, flowLimits.levelsMax);
      if (tooDeep !== null) {
        const node = placeIn(tooDeep, (raw as JsonObject).flow);
        return refuse([
          new TextError(`must not be nested deeper than ${flowLimits.levelsMax} levels`, placeAt(node), pathOf(node)),
        ]);
      }
      const placeOf = (path: string) => {
        const isOfFlow = !/^(tests|version)\b/.test(path);
        const node = placeIn(stepsOf(path), isOfFlow ? (raw as JsonObject).flow : raw);
        return { ...lines.placeOf(placeAt(node)), path: pathOf(node) };
      };
      return { document: parsed.data as FlowDocument, placeOf };
    }
    return refuse(
      parsed.error.issues.map((issue) => {
        const node = placeIn(issue.path);
        return new TextError(issueMessage(issue), placeAt(node), pathOf(node));
      }),
    );
  } catch (error) {
    if (error instanceof TextError) return refuse([error]);
    if (Array.isArray(error)) return refuse(error);
    if (error instanceof RangeError) return refuse([new TextError("is nested too deeply", 0)]);
    throw error;
  }
}

/**
 * The paths of members that validation has left out, because the format does not know them. Values of any form, such as
 * a node's config, are passed on as they are.
 */
function unknownPaths(raw: Json, parsed: unknown, path: readonly string[], found: string[][]): string[][] {
  if (raw === parsed || typeof raw !== "object" || raw === null || typeof parsed !== "object" || parsed === null)
    return found;
  for (const [key, member] of Object.entries(raw)) {
    if (!Object.hasOwn(parsed, key)) found.push([...path, key]);
    else unknownPaths(member, (parsed as Readonly<Record<string, unknown>>)[key], [...path, key], found);
  }
  return found;
}

/** The path of the first list or object that is nested deeper than this many levels, the value being the first. */
function pathBelow(value: Json | undefined, levels: number): string[] | null {
  if (typeof value !== "object" || value === null) return null;
  if (levels === 0) return [];
  for (const [key, member] of Object.entries(value)) {
    const path = pathBelow(member, levels - 1);
    if (path !== null) return [key, ...path];
  }
  return null;
}

function placeAt(node: TextNode): number {
  return node.kind === "scalar" ? node.at : node.keyAt;
}

/** A text's document, before validation. */
function readRoot(reading: Reading, root: TextNode): Json {
  const fields = reading.fields(root, rootFields);
  if (root.kind !== "map") return null;
  const trigger = fields.get("trigger");
  const starting = trigger === undefined ? new Map() : reading.fields(trigger, ["type", "config", "next"]);
  const layout = fields.get("layout");
  const nodes = fields.get("nodes");
  const isPlain = nodes?.kind === "list";
  const graph = isPlain
    ? { nodes: reading.json(nodes), edges: listOf(reading, fields.get("edges")) }
    : readGraph(reading, { nodes, next: starting.get("next"), layout }, root, false);
  if (!isPlain && fields.has("edges")) {
    reading.problem(
      fields.get("edges") ?? root,
      "is for a list of nodes; here, edges are listed at their nodes, as next",
    );
  }
  const canvas = layout === undefined ? undefined : reading.fields(layout, layoutFields(false)).get("canvas");
  const description = fields.get("description");
  const version = fields.get("version");
  const flow: JsonObject = {
    ...optional("name", read(reading, fields.get("name"))),
    description: description === undefined ? null : reading.json(description),
    ...optional("tags", read(reading, fields.get("tags"))),
    ...graph,
    ...optional("variables", read(reading, fields.get("variables"))),
    ...optional("settings", settingsOf(reading, fields.get("settings"), canvas)),
  };
  if (trigger !== undefined) {
    const own = { ...optional("type", read(reading, starting.get("type"))), config: {} as Json };
    const config = starting.get("config");
    if (config !== undefined) own.config = reading.json(config);
    flow.trigger = reading.from(own, trigger, starting);
  }
  const document: JsonObject = { ...optional("version", version && (reading.name(version) ?? undefined)) };
  document.flow = reading.from(flow, root, fields);
  const tests = read(reading, fields.get("tests"));
  if (tests !== undefined) document.tests = tests;
  return reading.from(document, root, fields);
}

function read(reading: Reading, node: TextNode | undefined): Json | undefined {
  return node === undefined ? undefined : reading.json(node);
}

function listOf(reading: Reading, node: TextNode | undefined): Json {
  return node === undefined ? [] : reading.json(node);
}

function optional(key: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}

function settingsOf(reading: Reading, settings: TextNode | undefined, canvas: TextNode | undefined): Json | undefined {
  if (canvas === undefined) return read(reading, settings);
  const own = settings === undefined ? {} : reading.json(settings);
  if (typeof own !== "object" || own === null || Array.isArray(own)) return own;
  if (Object.hasOwn(own, "canvas")) reading.problem(canvas, "is given twice: here and in settings");
  const merged = { ...own, canvas: reading.json(canvas) };
  const members = settings?.kind === "map" ? settings.entries.map(({ key, value }) => [key, value] as const) : [];
  return reading.from(merged, settings ?? canvas, [
    ...members.map(([key, value]): [string, TextNode] => [key, value]),
    ["canvas", canvas],
  ]);
}

/** The node of the text for a path of the document, or the nearest enclosing one. */
function nearest(reading: Reading, root: TextNode, document: Json, steps: readonly PropertyKey[]): TextNode {
  let [found, value]: [TextNode, unknown] = [root, document];
  for (const step of steps) {
    if (typeof value !== "object" || value === null) break;
    const origin = reading.origins.get(value);
    if (origin !== undefined) found = origin.members.get(step as string) ?? inside(origin.node, step) ?? origin.node;
    value = (value as Record<PropertyKey, unknown>)[step];
    const own = typeof value === "object" && value !== null ? reading.origins.get(value)?.node : undefined;
    if (own !== undefined) found = own;
  }
  return found;
}

function inside(node: TextNode, step: PropertyKey): TextNode | undefined {
  if (node.kind === "list") return node.items[Number(step)];
  if (node.kind === "map") return node.entries.find(({ key }) => key === step)?.value;
  return undefined;
}

/** The steps of a path in the usual notation: `nodes[2].config["a b"]`. */
function stepsOf(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const [, quoted, index, name] of path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)) {
    if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted === undefined ? (name ?? "") : (JSON.parse(`"${quoted}"`) as string));
  }
  return steps;
}
