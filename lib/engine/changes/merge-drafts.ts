import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { DraftEdge, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { type FlowNode, type FlowSettings, flowSettings } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import type { AnyNode } from "./body-parts.ts";
import type { HasBody, LevelEdge } from "./levels.ts";
import { mergeGraphs } from "./merge-nodes.ts";
import { byName, type Choose, mapSides, mergeByKey, type Named, type Sides } from "./merge-sides.ts";

/** Something that both sides have changed differently. */
export interface Clash {
  /** Identifies it: a node by its id, not its name. */
  readonly key: string;
  /** For display: a node's name, "The trigger"; with its place if another clash has the same name. */
  readonly what: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export type Side = "mine" | "theirs";

export interface Merge {
  /** The changes of both sides; for conflicts, those of the preferred side. */
  readonly draft: FlowDraft;
  readonly clashes: readonly Clash[];
}

const unitLabels = {
  name: "The name",
  description: "The description",
  tags: "The tags",
  trigger: "The trigger",
} as const satisfies Partial<Record<keyof FlowDraft, string>>;

/**
 * Three-way merge: nodes, edges, variables and settings one by one, the rest as a whole. `hasBody` says which node
 * types have a graph of their own. `prefer` chooses the side for each conflict, by its key.
 */
export function mergeDrafts(
  base: FlowDraft,
  mine: FlowDraft,
  theirs: FlowDraft,
  hasBody: HasBody,
  prefer: (key: string) => Side = () => "mine",
): Merge {
  const clashes: (Clash & Named)[] = [];
  const draft = mergeDraftsBy({ old: base, own: mine, other: theirs }, hasBody, chooseChanged(clashes, prefer));
  return { draft, clashes: withUniqueLabels(clashes) };
}

/** Takes the side that changed. If both changed differently, adds a clash and takes the preferred side. */
function chooseChanged(clashes: (Clash & Named)[], prefer: (key: string) => Side): Choose {
  return (named, { old, own, other }) => {
    if (isDeepEqual(own, other) || isDeepEqual(other, old)) return own;
    if (isDeepEqual(own, old)) return other;
    clashes.push({ ...named, mine: own, theirs: other });
    return prefer(named.key) === "mine" ? own : other;
  };
}

/** Merges one variable as `mergeDrafts` does; for callers that merge many in turns. Undefined: removed. */
export function mergeVariable(name: string, sides: Sides<JsonObject>, clashes: Clash[]): Json | undefined {
  const values = mapSides(sides, (side) => (Object.hasOwn(side, name) ? side[name] : undefined));
  return chooseChanged(clashes, () => "mine")(variableNamed(name), values);
}

const variableNamed = (name: string): Named => ({ key: `variable ${name}`, what: `The variable ${name}` });

/** The same, with `choose` taking a side for each part. */
export function mergeDraftsBy(sides: Sides<FlowDraft>, hasBody: HasBody, choose: Choose): FlowDraft {
  const part = <Key extends keyof typeof unitLabels>(key: Key): FlowDraft[Key] =>
    choose(
      { key, what: unitLabels[key] },
      mapSides(sides, (draft) => draft[key]),
    );
  const { nodes, edges } = mergeGraphs(sides, hasBody, choose);
  const variables = mergeByKey(
    mapSides(sides, (draft) => new Map(Object.entries(draft.variables))),
    (name, value) => choose(variableNamed(name), value),
  );
  return {
    name: part("name"),
    description: part("description"),
    tags: part("tags"),
    trigger: part("trigger"),
    variables: Object.fromEntries(variables),
    settings: mergeSettings(
      mapSides(sides, (side) => side.settings),
      choose,
    ),
    nodes: nodes.filter(isFlowNode),
    edges: edges.filter(isDraftEdge),
  };
}

/** True after merging: it gives every node a name and a position. */
function isFlowNode(node: AnyNode): node is FlowNode {
  const { id, type, name, position, config } = node;
  const isNamed = [id, type, name].every((text) => typeof text === "string");
  return isNamed && isJsonObject(position) && isJsonObject(config);
}

function isDraftEdge(edge: LevelEdge): edge is DraftEdge {
  return typeof edge.id === "string";
}

function withUniqueLabels(clashes: readonly (Clash & Named)[]): Clash[] {
  const counts = Map.groupBy(clashes, ({ what }) => what);
  return clashes.map(({ key, what, where, mine, theirs }) => {
    const isShared = where !== undefined && (counts.get(what)?.length ?? 0) > 1;
    return { key, what: isShared ? `${what} (${where})` : what, mine, theirs };
  });
}

/** The field that identifies the items of each list on the canvas. */
const identityOf: Readonly<Record<string, string>> = { notes: "id", groups: "id", samples: "name" };

/** Merges settings one by one; for the canvas, each note, group, sample and pinned output. */
function mergeSettings(sides: Sides<FlowSettings>, choose: Choose): FlowSettings {
  const entries = mapSides(sides, ({ canvas: _, ...settings }) => entriesOf(JSON.parse(JSON.stringify(settings))));
  const merged = mergeByKey(entries, (key, values) =>
    choose({ key: `setting ${key}`, what: `The setting ${key}` }, values),
  );
  const canvas = mergeCanvas(
    mapSides(sides, (settings) => settings.canvas),
    choose,
  );
  return flowSettings.parse({ ...Object.fromEntries(merged), ...(canvas && { canvas }) });
}

/** `loop`: the loop whose body is on the canvas; undefined for the flow's own canvas. */
function mergeCanvas(sides: Sides<JsonObject | undefined>, choose: Choose, loop?: string): JsonObject | undefined {
  if (sides.own === undefined && sides.other === undefined) return undefined;
  const merged = mergeByKey(mapSides(sides, entriesOf), (key, values) => mergePart(key, values, choose, loop));
  return Object.fromEntries(merged);
}

function mergePart(key: string, sides: Sides<Json | undefined>, choose: Choose, loop?: string): Json | undefined {
  const where = loop === undefined ? {} : { where: loop };
  const named = (what: string, item = "") => ({ key: `canvas ${loop ?? ""} ${key} ${item}`, what, ...where });
  const identity = identityOf[key];
  const members = () => mapSides(sides, (side) => entriesOf(asObject(side)));
  if (key === "pins") {
    const pins = mergeByKey(members(), (id, values) => choose(named(`The pinned output of ${id}`, id), values));
    return Object.fromEntries(pins);
  }
  if (key === "bodies") {
    const bodies = mergeByKey(members(), (id, body) => {
      const isRemoved = body.own === undefined || body.other === undefined;
      if (isRemoved) return choose({ ...named("A loop on the canvas", id), where: id }, body);
      return mergeCanvas(mapSides(body, asObject), choose, id);
    });
    return Object.fromEntries(bodies);
  }
  if (identity === undefined) return choose(named(`The ${key} on the canvas`), sides);
  const items = mapSides(sides, (side) => itemsOf(side, identity));
  const merged = mergeByKey(items, (name, values) => choose(named(`One of the ${key}: ${name}`, name), values));
  return [...merged.values()];
}

function asObject(json: Json | undefined): JsonObject | undefined {
  return isJsonObject(json) ? json : undefined;
}

function entriesOf(record: JsonObject | undefined): Map<string, Json> {
  return new Map(Object.entries(record ?? {}));
}

/** Items with the same name are told apart by their order. */
function itemsOf(list: Json | undefined, identity: string): Map<string, Json> {
  const items = Array.isArray(list) ? list : [];
  return byName(items, (item) => (isJsonObject(item) ? String(item[identity]) : JSON.stringify(item)));
}
