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
  /** Whether anything leads on from its handle without a label. */
  readonly plain: boolean;
  readonly stored: { readonly x: number; readonly y: number } | null;
  /** Skipped over in runs. */
  readonly disabled?: boolean;
  /** It takes steps, as an agent does. */
  readonly hasSteps?: boolean;
}

export interface Wire {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** What its source must leave by for it to be taken; null: the plain handle. */
  readonly handle: string | null;
}

export interface FlowGraph {
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
}

/** What each kind of trigger is called. */
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

/** What there is to draw of a flow: a card for its trigger and each node, and the wires between them. */
export function drawFlow(flow: FlowDocument, types: readonly NodeType[]): FlowGraph {
  const known = new Map(types.map((type) => [type.type, type]));
  const wires = drawWires(flow, (type) => known.get(type));
  const leaving = Map.groupBy(wires, (wire) => wire.source);
  const cards = flow.nodes.map((node): Card => {
    const type = known.get(node.type);
    const out = leaving.get(node.id) ?? [];
    const own = type === undefined ? [] : handlesOf(type.handles, node.config);
    const branches = out.some((wire) => wire.handle === errorHandle) ? [...own, errorHandle] : own;
    return {
      id: node.id,
      name: node.name,
      type: node.type,
      family: type?.family ?? "action",
      icon: type?.iconPath ?? "",
      summary: summarizeNode(node, type),
      branches,
      // The input of a disabled node is passed on along it, whatever handles its type has.
      plain: node.disabled === true || out.some((wire) => wire.handle === null),
      stored: node.position,
      ...(node.disabled === true ? { disabled: true } : {}),
      ...(type?.hasSteps === true ? { hasSteps: true } : {}),
    };
  });
  return { cards: [triggerCard(flow), ...cards], wires };
}

/** The type of the card where a loop's body starts. */
export const itemStart = "item";

/** A body as drawn: its items take the trigger's place. */
export function withItemStart({ cards, wires }: FlowGraph, loop: FlowNode, types: readonly NodeType[]): FlowGraph {
  const type = types.find((candidate) => candidate.type === loop.type);
  const look = { family: type?.family ?? "logic", icon: type?.iconPath ?? "", summary: summarizeNode(loop, type) };
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

/** The edges as the engine reads them, and those that it takes for granted: from the trigger to every start. */
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

/** What the engine asks of these types. */
export function traitsIn(types: readonly NodeType[]): TraitsOf {
  const known = new Map(types.map((type) => [type.type, type]));
  return (type) => known.get(type);
}
