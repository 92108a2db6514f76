import { traitsIn, typesByName } from "#components/canvas/flow-graph.ts";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type DraftEdge, type FlowDraft, identifyEdges } from "#lib/engine/changes/flow-draft.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { flowBody } from "#lib/engine/flow-body.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { placeDraft } from "../draft/place-draft.ts";

// A flow has levels: its own graph and the body of every loop. Each level is shown and edited like a flow, so that every
// command works at every level.

/** The nodes and edges of a level. */
interface LevelGraph {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly DraftEdge[];
}

const emptyGraph: LevelGraph = { nodes: [], edges: [] };

/** By the body's JSON: its nodes and edges stay the same objects while the body is unchanged. */
const readBodies = new WeakMap<object, LevelGraph | null>();

/** Whether a loop runs another flow instead of a body. */
export function runsFlow({ config: { body, flowId } }: Pick<FlowNode, "config">): boolean {
  return (body === undefined || body === null) && typeof flowId === "string" && flowId !== "";
}

/**
 * A loop's body; empty if it has none yet. Null if its type has no body, if it runs another flow, or if its JSON is
 * not a graph.
 */
export function bodyGraphOf({ type, config }: Pick<FlowNode, "type" | "config">, types: readonly NodeType[]) {
  if (typesByName(types).get(type)?.hasBody !== true) return null;
  const { body } = config;
  if (body === undefined || body === null) return runsFlow({ config }) ? null : emptyGraph;
  if (!isJsonObject(body)) return null;
  const known = readBodies.get(body);
  if (known !== undefined) return known;
  const graph = readGraph(body, types);
  readBodies.set(body, graph);
  return graph;
}

function readGraph(body: JsonObject, types: readonly NodeType[]): LevelGraph | null {
  const { data } = flowBody.safeParse(body);
  if (data === undefined) return null;
  const edges = identifyEdges(data.nodes, data.edges, traitsIn(types));
  return { nodes: placeDraft({ ...blank, nodes: data.nodes, edges }, types).nodes, edges };
}

/** A flow with nothing but the body's graph, for the layout. */
const blank: FlowDraft = {
  name: "",
  description: "",
  tags: [],
  trigger: { type: "manual", config: {} },
  nodes: [],
  edges: [],
  variables: {},
  settings: {},
};

/** The loops on a path, outermost first, up to one that was removed or is invalid. */
export function existingPath(draft: FlowDraft, within: readonly string[], types: readonly NodeType[]): string[] {
  const path: string[] = [];
  let nodes: readonly FlowNode[] = draft.nodes;
  for (const id of within) {
    const loop = nodes.find((node) => node.id === id);
    const graph = loop === undefined ? null : bodyGraphOf(loop, types);
    if (graph === null) break;
    path.push(id);
    nodes = graph.nodes;
  }
  return path;
}

/** The loops on a path, outermost first. */
export function loopsOn(draft: FlowDraft, within: readonly string[], types: readonly NodeType[]): FlowNode[] {
  let nodes: readonly FlowNode[] = draft.nodes;
  return within.flatMap((id) => {
    const loop = nodes.find((node) => node.id === id);
    nodes = loop === undefined ? [] : (bodyGraphOf(loop, types)?.nodes ?? []);
    return loop ?? [];
  });
}

/** The loops around a node, outermost first; null if no level has it. */
export function pathTo(nodes: readonly FlowNode[], id: string, types: readonly NodeType[]): string[] | null {
  if (nodes.some((node) => node.id === id)) return [];
  for (const node of nodes) {
    const inner = pathTo(bodyGraphOf(node, types)?.nodes ?? [], id, types);
    if (inner !== null) return [node.id, ...inner];
  }
  return null;
}

/** A node with the loops around it. */
export interface PlacedNode {
  readonly node: FlowNode;
  readonly within: readonly FlowNode[];
}

/** Every node of every level. */
export function allPlaced(
  nodes: readonly FlowNode[],
  types: readonly NodeType[],
  within: readonly FlowNode[] = [],
): PlacedNode[] {
  return nodes.flatMap((node) => [
    { node, within },
    ...allPlaced(bodyGraphOf(node, types)?.nodes ?? [], types, [...within, node]),
  ]);
}

/** The canvas settings that each level has of its own. The others, such as pins and samples, belong to the flow. */
const ownKeys: readonly string[] = ["notes", "groups", "trigger"];

const ownPart = (canvas: JsonObject): JsonObject => partOf(canvas, (key) => ownKeys.includes(key));
const flowWide = (canvas: JsonObject): JsonObject => partOf(canvas, (key) => !ownKeys.includes(key));

function partOf(canvas: JsonObject, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(canvas).filter(([key]) => isWanted(key)));
}

const shownLevels = new WeakMap<FlowDraft, WeakMap<readonly string[], FlowDraft>>();

/**
 * A level as a flow: its nodes, edges, notes and groups, with everything else of the flow. The flow itself for an empty
 * path; the same object for the same flow and path. For a level that no longer exists, the surrounding one.
 */
export function levelAt(draft: FlowDraft, within: readonly string[], types: readonly NodeType[]): FlowDraft {
  if (within.length === 0) return draft;
  const known = shownLevels.get(draft) ?? new WeakMap<readonly string[], FlowDraft>();
  shownLevels.set(draft, known);
  const loop = () => loopsOn(draft, existingPath(draft, within, types), types).at(-1);
  const level = known.get(within) ?? makeLevel(draft, loop(), types);
  known.set(within, level);
  return level;
}

function makeLevel(draft: FlowDraft, loop: FlowNode | undefined, types: readonly NodeType[]): FlowDraft {
  if (loop === undefined) return draft;
  const graph = bodyGraphOf(loop, types) ?? emptyGraph;
  const { canvas } = draft.settings;
  const settings = canvas === undefined ? draft.settings : { ...draft.settings, canvas: levelCanvas(canvas, loop.id) };
  return { ...draft, nodes: graph.nodes, edges: graph.edges, settings };
}

const shownCanvases = new WeakMap<JsonObject, Map<string, JsonObject>>();

function levelCanvas(canvas: JsonObject, loopId: string): JsonObject {
  const known = shownCanvases.get(canvas) ?? new Map<string, JsonObject>();
  shownCanvases.set(canvas, known);
  const own = bodiesOf(canvas)[loopId];
  const made = known.get(loopId) ?? { ...flowWide(canvas), ...(isJsonObject(own) ? ownPart(own) : {}) };
  known.set(loopId, made);
  return made;
}

/** The notes and groups of loops' bodies, by the loop's id. */
function bodiesOf(canvas: JsonObject | undefined): JsonObject {
  return isJsonObject(canvas?.bodies) ? canvas.bodies : {};
}

/** The flow with a changed level: `level` is the result of `levelAt` for the path, with changes. */
export function withLevel(
  draft: FlowDraft,
  within: readonly string[],
  level: FlowDraft,
  types: readonly NodeType[],
): FlowDraft {
  const path = existingPath(draft, within, types);
  const shown = levelAt(draft, within, types);
  const last = path.at(-1);
  if (level === shown) return draft;
  if (last === undefined) return level;
  const isGraphSame = level.nodes === shown.nodes && level.edges === shown.edges;
  const nodes = isGraphSame ? draft.nodes : withGraph(draft.nodes, path, level, types);
  return { ...level, nodes, edges: draft.edges, settings: settingsWith(draft, shown, level, last) };
}

function settingsWith(draft: FlowDraft, shown: FlowDraft, level: FlowDraft, loopId: string): FlowDraft["settings"] {
  if (level.settings === shown.settings) return draft.settings;
  const { canvas, ...settings } = level.settings;
  const before = draft.settings.canvas;
  if (canvas === shown.settings.canvas) return { ...settings, ...(before && { canvas: before }) };
  const bodies = { ...bodiesOf(canvas), [loopId]: ownPart(canvas ?? {}) };
  return { ...settings, canvas: { ...flowWide(canvas ?? {}), ...ownPart(before ?? {}), bodies } };
}

function withGraph(
  nodes: readonly FlowNode[],
  [id, ...deeper]: readonly string[],
  graph: LevelGraph,
  types: readonly NodeType[],
): FlowNode[] {
  return nodes.map((node) => {
    if (node.id !== id) return node;
    const inner = bodyGraphOf(node, types) ?? emptyGraph;
    const next =
      deeper.length === 0 ? graph : { nodes: withGraph(inner.nodes, deeper, graph, types), edges: inner.edges };
    const { nodes: bodyNodes, edges } = next;
    const before = isJsonObject(node.config.body) ? node.config.body : {};
    const body: JsonObject = { ...before, nodes: bodyNodes.map(plain), edges: edges.map(plain) };
    readBodies.set(body, { nodes: bodyNodes, edges });
    return { ...node, config: { ...node.config, body } };
  });
}

/** An item as JSON, without what is undefined. */
function plain(item: FlowNode | DraftEdge): Json {
  const json: JsonObject = {};
  for (const [key, value] of Object.entries(item)) if (value !== undefined) json[key] = value;
  return json;
}

/** Removes canvas settings of deleted loops. */
export function withoutLostBodies(draft: FlowDraft, types: readonly NodeType[]): FlowDraft {
  const { canvas } = draft.settings;
  const bodies = Object.entries(bodiesOf(canvas));
  if (canvas === undefined || bodies.length === 0) return draft;
  const there = new Set(allPlaced(draft.nodes, types).map(({ node }) => node.id));
  const next = bodies.filter(([id]) => there.has(id));
  if (next.length === bodies.length) return draft;
  return { ...draft, settings: { ...draft.settings, canvas: { ...canvas, bodies: Object.fromEntries(next) } } };
}
