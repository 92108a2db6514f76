import { isDeepEqual } from "./deep-equal.ts";
import type { FlowDraft } from "./flow-draft.ts";

/** Something that was changed here and elsewhere since both were the same. */
export interface Clash {
  /** What it is, for people: a node's name, "The trigger". */
  readonly what: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

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
  variables: "The variables",
  settings: "The settings and notes",
} as const satisfies Partial<Record<keyof FlowDraft, string>>;

interface Identified {
  readonly id: string;
}

/** Takes the changes of both sides since `base`; nodes and edges one by one, the rest as wholes. */
export function mergeDrafts(
  base: FlowDraft,
  mine: FlowDraft,
  theirs: FlowDraft,
  prefer: "mine" | "theirs" = "mine",
): Merge {
  const clashes: Clash[] = [];
  const choose = <Part>(what: string, old: Part, own: Part, other: Part): Part => {
    if (isDeepEqual(own, other) || isDeepEqual(other, old)) return own;
    if (isDeepEqual(own, old)) return other;
    clashes.push({ what, mine: own, theirs: other });
    return prefer === "mine" ? own : other;
  };
  const list = <Item extends Identified>(
    label: (item: Item) => string,
    sides: { readonly old: readonly Item[]; readonly own: readonly Item[]; readonly other: readonly Item[] },
  ): Item[] => {
    const [old, own, other] = [byId(sides.old), byId(sides.own), byId(sides.other)];
    const order = new Set([...own.keys(), ...other.keys()]);
    return [...order].flatMap((id) => {
      const known = own.get(id) ?? other.get(id) ?? old.get(id);
      const what = known === undefined ? id : label(known);
      const chosen = choose(what, old.get(id), own.get(id), other.get(id));
      return chosen === undefined ? [] : [chosen];
    });
  };
  const nodes = list((node) => node.name, { old: base.nodes, own: mine.nodes, other: theirs.nodes });
  const ids = new Set(["trigger", ...nodes.map((node) => node.id)]);
  const edges = list((edge) => `The edge ${edge.id}`, { old: base.edges, own: mine.edges, other: theirs.edges });
  const part = <Key extends keyof typeof whole>(key: Key): FlowDraft[Key] =>
    choose(whole[key], base[key], mine[key], theirs[key]);
  const draft: FlowDraft = {
    name: part("name"),
    description: part("description"),
    tags: part("tags"),
    trigger: part("trigger"),
    variables: part("variables"),
    settings: part("settings"),
    nodes,
    // An end may have been removed on the other side.
    edges: edges.filter((edge) => ids.has(edge.source) && ids.has(edge.target)),
  };
  return { draft, clashes };
}

function byId<Item extends Identified>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
