import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { type FlowSettings, flowSettings, triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

/** How items of the canvas's lists are identified. */
const identityOf: Readonly<Record<string, string>> = { notes: "id", groups: "id", samples: "name" };

/** Merges settings one by one; for the canvas, each note, group, sample and pinned output. */
function mergeSettings(sides: Sides<FlowSettings>, choose: Choose): FlowSettings {
  const entries = mapSides(sides, ({ canvas: _, ...settings }) => entriesOf(JSON.parse(JSON.stringify(settings))));
  const merged = mergeByKey(entries, (key, values) => choose(`The setting ${key}`, values));
  const canvas = mergeCanvas(
    mapSides(sides, (settings) => settings.canvas),
    choose,
  );
  return flowSettings.parse({ ...Object.fromEntries(merged), ...(canvas && { canvas }) });
}

function mergeCanvas(sides: Sides<JsonObject | undefined>, choose: Choose): JsonObject | undefined {
  if (sides.own === undefined && sides.other === undefined) return undefined;
  const merged = mergeByKey(mapSides(sides, entriesOf), (key, values) => mergePart(key, values, choose));
  return Object.fromEntries(merged);
}

function mergePart(key: string, sides: Sides<Json | undefined>, choose: Choose): Json | undefined {
  const identity = identityOf[key];
  if (key === "pins") {
    const pins = mapSides(sides, (side) => (isJsonObject(side) ? entriesOf(side) : new Map<string, Json>()));
    return Object.fromEntries(mergeByKey(pins, (id, values) => choose(`The pinned output of ${id}`, values)));
  }
  if (identity === undefined) return choose(`The ${key} on the canvas`, sides);
  const items = mapSides(sides, (side) => itemsOf(side, identity));
  return [...mergeByKey(items, (name, values) => choose(`One of the ${key}: ${name}`, values)).values()];
}

function entriesOf(record: JsonObject | undefined): Map<string, Json> {
  return new Map(Object.entries(record ?? {}));
}

function itemsOf(list: Json | undefined, identity: string): Map<string, Json> {
  const items = Array.isArray(list) ? list : [];
  return new Map(items.flatMap((item) => (isJsonObject(item) ? [[String(item[identity]), item] as const] : [])));
}

/** Something that both sides have changed differently. */
export interface Clash {
  /** For display: a node's name, "The trigger". */
  readonly what: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export type Side = "mine" | "theirs";

export interface Merge {
  /** Both sides' changes; for conflicts, `mine` or `theirs` as requested. */
  readonly draft: FlowDraft;
  readonly clashes: readonly Clash[];
}

const whole = {
  name: "The name",
  description: "The description",
  tags: "The tags",
  trigger: "The trigger",
} as const satisfies Partial<Record<keyof FlowDraft, string>>;

/**
 * Merges the changes of both sides since `base`; nodes, edges, variables and settings one by one, the rest as a whole.
 * `prefer` chooses the side for each conflict.
 */
export function mergeDrafts(
  base: FlowDraft,
  mine: FlowDraft,
  theirs: FlowDraft,
  prefer: (what: string) => Side = () => "mine",
): Merge {
  const clashes: Clash[] = [];
  const choose: Choose = (what, { old, own, other }) => {
    if (isDeepEqual(own, other) || isDeepEqual(other, old)) return own;
    if (isDeepEqual(own, old)) return other;
    clashes.push({ what, mine: own, theirs: other });
    return prefer(what) === "mine" ? own : other;
  };
  const sides: Sides<FlowDraft> = { old: base, own: mine, other: theirs };
  const part = <Key extends keyof typeof whole>(key: Key): FlowDraft[Key] =>
    choose(
      whole[key],
      mapSides(sides, (draft) => draft[key]),
    );
  const nodes = [
    ...mergeByKey(
      mapSides(sides, (draft) => byId(draft.nodes)),
      (id, node) => choose((node.own ?? node.other)?.name ?? id, node),
    ).values(),
  ];
  const ids = new Set([triggerSource, ...nodes.map((node) => node.id)]);
  const edges = mergeByKey(
    mapSides(sides, (draft) => byId(draft.edges)),
    (id, edge) => choose(`The edge ${id}`, edge),
  );
  const variables = mergeByKey(
    mapSides(sides, (draft) => new Map(Object.entries(draft.variables))),
    (name, value) => choose(`The variable ${name}`, value),
  );
  const draft: FlowDraft = {
    name: part("name"),
    description: part("description"),
    tags: part("tags"),
    trigger: part("trigger"),
    variables: Object.fromEntries(variables),
    settings: mergeSettings(
      mapSides(sides, (side) => side.settings),
      choose,
    ),
    nodes,
    // An end may have been removed on the other side.
    edges: [...edges.values()].filter((edge) => ids.has(edge.source) && ids.has(edge.target)),
  };
  return { draft, clashes };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

/** One part in the base, here, and elsewhere. Undefined: missing. */
interface Sides<Part> {
  readonly old: Part;
  readonly own: Part;
  readonly other: Part;
}

/** Takes the side that changed; if both did, and differently, records a conflict named `what` and takes one. */
type Choose = <Part>(what: string, sides: Sides<Part>) => Part;

function mapSides<From, To>({ old, own, other }: Sides<From>, to: (side: From) => To): Sides<To> {
  return { old: to(old), own: to(own), other: to(other) };
}

/** Merges items by their keys: this side's first, in its order. `pick` decides each. */
function mergeByKey<Item>(
  { old, own, other }: Sides<ReadonlyMap<string, Item>>,
  pick: (key: string, sides: Sides<Item | undefined>) => Item | undefined,
): Map<string, Item> {
  const merged = new Map<string, Item>();
  for (const key of new Set([...own.keys(), ...other.keys()])) {
    const chosen = pick(key, { old: old.get(key), own: own.get(key), other: other.get(key) });
    if (chosen !== undefined) merged.set(key, chosen);
  }
  return merged;
}
