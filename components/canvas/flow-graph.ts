import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { ShownFlow } from "#lib/contract/flows/shown-flow.ts";
import { settleBranches } from "#lib/engine/branches.ts";
import { type FlowEdge, type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { handlesOf, type TraitsOf } from "#lib/engine/node-types.ts";
import { errorHandle } from "#lib/engine/outcome.ts";
import { summarizeNode, summarizeTrigger } from "./card-summary.ts";

export interface FlowDocument {
  readonly trigger: ShownFlow["trigger"];
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

/** In pixels: the width of a card, the height of its head and of each row with a branch's handle. */
export const cardSize = { width: 240, head: 60, branch: 26 } as const;

export function cardHeight(card: Pick<Card, "branches">): number {
  return cardSize.head + (card.branches.length === 0 ? 0 : card.branches.length * cardSize.branch + 6);
}

/** The name that the canvas gives a node's plain handle. */
export const plainHandleId = "plain";

export interface Card {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly family: NodeType["family"] | "trigger";
  /** What `NodeTile` draws. */
  readonly icon: string;
  readonly summary: string;
  /** Handles with a label and a row of their own, in their order. */
  readonly branches: readonly string[];
  /** Whether an edge leaves its unlabelled handle. */
  readonly plain: boolean;
  readonly stored: { readonly x: number; readonly y: number } | null;
  /** Disabled: runs skip it. */
  readonly disabled?: boolean;
  /** Takes steps, as an agent does. */
  readonly hasSteps?: boolean;
}

export interface Wire {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The source's handle; null for the plain one. */
  readonly handle: string | null;
}

export interface FlowGraph {
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
}

/** A wire in words, by the names of what it connects: "Wire from Check (true) to Ship". */
export function wireWords({ handle, ...ends }: Omit<Wire, "id">, names: ReadonlyMap<string, string>): string {
  const [source, target] = [ends.source, ends.target].map((id) => names.get(id) ?? id);
  return `Wire from ${source}${handle === null ? "" : ` (${handle})`} to ${target}`;
}

/** The name of each kind of trigger. */
export const triggerNames = {
  webhook: "Webhook",
  manual: "Manual start",
  schedule: "Schedule",
  form: "Form",
  table: "Table changes",
  error: "Failed runs",
  poll: "New items",
  rss: "Feed",
  mail: "New mail",
} as const;
export const triggerIcons = {
  webhook: "webhook",
  manual: "hand-click",
  schedule: "calendar-time",
  form: "forms",
  table: "table",
  error: "alert-triangle",
  poll: "refresh",
  rss: "rss",
  mail: "mail",
} as const;

/** The parts of a flow to draw: a card for the trigger and each node, and the wires between them. */
export function drawFlow(flow: FlowDocument, types: readonly NodeType[]): FlowGraph {
  const known = typesByName(types);
  const wires = drawWires(flow, (type) => known.get(type));
  const leaving = Map.groupBy(wires, (wire) => wire.source);
  const cards = flow.nodes.map((node) => cardOf(node, known.get(node.type), leaving.get(node.id) ?? []));
  return { cards: [triggerCard(flow), ...cards], wires };
}

/** The card that was last drawn of a node, with what of its wires it shows: typing into one redraws no other. */
const drawnCards = new WeakMap<FlowNode, Drawn>();

interface Drawn {
  readonly type: NodeType | undefined;
  /** Whether a wire leaves its error handle, and one its plain handle. */
  readonly uses: { readonly error: boolean; readonly plain: boolean };
  readonly card: Card;
}

function cardOf(node: FlowNode, type: NodeType | undefined, leaving: readonly Wire[]): Card {
  const uses = {
    error: leaving.some((wire) => wire.handle === errorHandle),
    plain: leaving.some((wire) => wire.handle === null),
  };
  const before = drawnCards.get(node);
  const isSame = before?.type === type && before?.uses.error === uses.error && before.uses.plain === uses.plain;
  if (before !== undefined && isSame) return before.card;
  const card = drawCard(node, type, uses);
  drawnCards.set(node, { type, uses, card });
  return card;
}

function drawCard(node: FlowNode, type: NodeType | undefined, uses: Drawn["uses"]): Card {
  const own = type === undefined ? [] : handlesOf(type.handles, node.config);
  return {
    id: node.id,
    name: node.name,
    type: node.type,
    family: type?.family ?? "action",
    icon: type?.iconPath ?? "",
    summary: summarizeNode(node, type),
    branches: uses.error ? [...own, errorHandle] : own,
    // A disabled node passes its input on along it, whatever its type's handles.
    plain: node.disabled === true || uses.plain,
    stored: node.position,
    ...(node.disabled === true ? { disabled: true } : {}),
    ...(type?.hasSteps === true ? { hasSteps: true } : {}),
  };
}

/** The card type where a loop's body starts. */
export const itemStart = "item";

/** A body as drawn: its items stand in for the trigger. */
export function withItemStart({ cards, wires }: FlowGraph, loop: FlowNode, types: readonly NodeType[]): FlowGraph {
  const type = types.find((candidate) => candidate.type === loop.type);
  // From the inside, the number of its nodes says nothing new.
  const summary = summarizeNode({ ...loop, config: { ...loop.config, body: null } }, type);
  const look = { family: type?.family ?? "logic", icon: type?.iconPath ?? "", summary };
  return {
    cards: cards.map((card) =>
      card.id === triggerSource ? { ...card, ...look, name: "Each item", type: itemStart } : card,
    ),
    wires,
  };
}

function triggerCard(flow: FlowDocument): Card {
  const { trigger } = flow;
  return {
    id: triggerSource,
    name: triggerNames[trigger.type],
    type: triggerSource,
    family: "trigger",
    icon: triggerIcons[trigger.type],
    summary: summarizeTrigger(trigger),
    branches: [],
    plain: flow.nodes.length > 0,
    stored: null,
  };
}

/** The edges, including the engine's implicit ones from the trigger to every start node. */
function drawWires({ nodes, edges }: FlowDocument, traitsOf: TraitsOf): Wire[] {
  const { handles } = settleBranches(nodes, edges, traitsOf);
  const wires = edges.map((edge, index): Wire => {
    return { id: edge.id ?? `edge-${index}`, source: edge.source, target: edge.target, handle: handles[index] ?? null };
  });
  const reached = new Set(edges.map((edge) => edge.target));
  const starts = nodes.filter((node) => !reached.has(node.id));
  const implied = starts.map(({ id }) => ({ id: `start-${id}`, source: triggerSource, target: id, handle: null }));
  return [...implied, ...wires];
}

const namedTypes = new WeakMap<readonly NodeType[], ReadonlyMap<string, NodeType>>();

/** These types by name; the same map for the same list. */
export function typesByName(types: readonly NodeType[]): ReadonlyMap<string, NodeType> {
  const known = namedTypes.get(types) ?? new Map(types.map((type) => [type.type, type]));
  namedTypes.set(types, known);
  return known;
}

/** These types as the engine reads them. */
export function traitsIn(types: readonly NodeType[]): TraitsOf {
  const known = typesByName(types);
  return (type) => known.get(type);
}
