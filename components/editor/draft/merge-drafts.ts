import { triggerSource } from "#lib/engine/flow.ts";
import { isDeepEqual } from "./deep-equal.ts";
import type { FlowDraft } from "./flow-draft.ts";
import { type Choose, mapSides, mergeByKey, type Sides } from "./merge-parts.ts";
import { mergeSettings } from "./merge-settings.ts";

/** Something that was changed here and elsewhere since both were the same. */
export interface Clash {
  /** What it is, for people: a node's name, "The trigger". */
  readonly what: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export type Side = "mine" | "theirs";

export interface Merge {
  /** Both sides' changes; where they clash, `mine` or `theirs`, as was asked. */
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
 * Takes the changes of both sides since `base`; nodes, edges, variables and settings one by one, the rest as wholes.
 * `prefer` is asked for the side to take of each thing that clashes.
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
