import { Position } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { type Card, cardHeight, cardSize, type FlowGraph, itemStart } from "#components/canvas/flow-graph.ts";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Place } from "../commands/move.ts";
import { canvasOf, hiddenBy } from "../draft/canvas-settings.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import type { PlacedProblem } from "../draft/read-problems.ts";
import { loopsOn } from "../levels/level.ts";
import { useEditor, useEditorState, useLevel } from "../state/editor-context.ts";
import { untouched } from "../state/editor-state.ts";
import { cardHandles, drawDraft, openHandles, statusId } from "./canvas-cards.ts";
import { countOfProblems, type EditorCardNode } from "./editor-card.tsx";
import { type GroupBox, type GroupNode, groupBoxes } from "./group-frame.tsx";
import type { NoteNode } from "./note-card.tsx";
import type { Sizes } from "./use-canvas-changes.ts";

/** The draft's cards and wires; unchanged ones are the same objects. */
export function useDraftGraph(): FlowGraph {
  const { types } = useEditor();
  const draft = useLevel((level) => level);
  const loop = useEditorState((state) => loopsOn(state.draft, state.within, types).at(-1));
  const before = useRef<FlowGraph | null>(null);
  return useMemo(() => {
    before.current = drawDraft(draft, types, before.current, loop);
    return before.current;
  }, [draft, types, loop]);
}

export type CanvasNode = EditorCardNode | NoteNode | GroupNode;

/**
 * Everything on the canvas in React Flow's form, in the order of Tab: cards, then groups and notes, which are drawn behind
 * them.
 */
export function useCanvasNodes(
  graph: FlowGraph,
  moving: ReadonlyMap<string, Place>,
  sizes: Sizes,
  far: boolean,
): CanvasNode[] {
  const stored = useCardNodes(graph, far);
  const cards = useMemo(
    () => (moving.size === 0 ? stored : stored.map((card) => moved(card, moving))),
    [stored, moving],
  );
  const draft = useLevel((level) => level);
  const selected = useEditorState((state) => state.selection.nodes);
  return useMemo(() => {
    const { notes, groups } = canvasOf(draft);
    if (notes.length === 0 && groups.length === 0) return cards;
    const hidden = hiddenBy(groups);
    const places = new Map(cards.map((card) => [card.id, card.position]));
    const frames = groupBoxes(groups, graph, places).map((box) => frameNode(box, selected.has(box.group.id)));
    const stuck = notes.map((note): NoteNode => {
      const size = sizes.get(note.id) ?? { width: note.width, height: note.height };
      const { x, y } = moving.get(note.id) ?? note;
      return {
        id: note.id,
        type: "note",
        position: { x, y },
        ...size,
        measured: size,
        data: { note },
        selected: selected.has(note.id),
        zIndex: 1,
        ariaRole: "group",
        ariaLabel: `Note: ${note.text.slice(0, 80)}`,
      };
    });
    const shown =
      hidden.size === 0 ? cards : cards.map((card) => (hidden.has(card.id) ? { ...card, hidden: true } : card));
    return [...shown, ...frames, ...stuck];
  }, [cards, draft, selected, graph, moving, sizes]);
}

function frameNode({ group, x, y, width, height }: GroupBox, selected: boolean): GroupNode {
  const size = { width, height };
  const middle = height / 2;
  const handles = [
    { id: "in", type: "target" as const, position: Position.Left, x: 0, y: middle, width: 1, height: 1 },
    { id: "out", type: "source" as const, position: Position.Right, x: width, y: middle, width: 1, height: 1 },
  ];
  return {
    id: group.id,
    type: "group-frame",
    position: { x, y },
    ...size,
    measured: size,
    handles,
    data: { group },
    selected,
    zIndex: group.collapsed ? 2 : -1,
    ariaRole: "group",
    ariaLabel: `Group ${group.name}`,
  };
}

/** A card where it is dragged to. */
function moved(card: EditorCardNode, moving: ReadonlyMap<string, Place>): EditorCardNode {
  const position = moving.get(card.id);
  return position === undefined ? card : { ...card, position };
}

/**
 * The cards in React Flow's form, in their stored places. Zoomed out (`far`), handles cannot be measured; zooming in
 * creates new objects, so that React Flow takes the handles declared here.
 */
function useCardNodes(graph: FlowGraph, far: boolean): EditorCardNode[] {
  const draft = useLevel((level) => level);
  const selected = useEditorState((state) => state.selection.nodes);
  const problems = useEditorState((state) => state.problems);
  const newNodes = useEditorState((state) => state.newNodes);
  const checkedAsNew = useEditorState((state) => state.checkedAsNew);
  const dropInto = useEditorState((state) => state.dropInto);
  const open = useMemo(() => openHandles(graph.wires), [graph.wires]);
  const known = useRef(new Map<string, EditorCardNode>());
  return useMemo(() => {
    const places = placesOf(draft);
    const isNew = new Set(untouched({ newNodes, checkedAsNew }, draft));
    const visible = problems.filter(({ nodeId }) => nodeId === undefined || !isNew.has(nodeId));
    const counts = countProblems(visible.filter(({ severity }) => severity !== "info"));
    const hints = countProblems(visible.filter(({ severity }) => severity === "info"));
    const { pins } = canvasOf(draft);
    // Notes and groups are tab stops of their own: while one of them is selected, Tab still leads to a card.
    const focusable = [...selected].find((id) => places.has(id)) ?? triggerSource;
    const loopId = dropInto !== null && "loopId" in dropInto ? dropInto.loopId : null;
    const nodes = graph.cards.map((card): EditorCardNode => {
      const place = places.get(card.id) ?? { x: 0, y: 0 };
      const contents = {
        card,
        place,
        problems: card.type === itemStart ? 0 : (counts.get(card.id) ?? 0),
        hints: card.type === itemStart ? 0 : (hints.get(card.id) ?? 0),
        open: open(card).join(" "),
        takesDrop: card.id === loopId,
        pinned: Object.hasOwn(pins, card.id),
        selected: selected.has(card.id),
        focusable: card.id === focusable,
        far,
      };
      const old = known.current.get(card.id);
      return old !== undefined && isSame(old, contents) ? old : makeNode(contents);
    });
    known.current = new Map(nodes.map((node) => [node.id, node]));
    return nodes;
  }, [graph, draft, selected, problems, newNodes, checkedAsNew, dropInto, open, far]);
}

/** The row with the trigger URL. */
const addressHeight = 33;

interface CardContents {
  readonly card: Card;
  readonly place: Place;
  readonly problems: number;
  readonly hints: number;
  readonly pinned: boolean;
  readonly open: string;
  readonly takesDrop: boolean;
  readonly selected: boolean;
  readonly focusable: boolean;
  readonly far: boolean;
}

function isSame(node: EditorCardNode, contents: CardContents): boolean {
  const { card, place, problems, hints, pinned, open, takesDrop, selected, focusable, far } = contents;
  return (
    node.data.card === card &&
    node.data.problems === problems &&
    node.data.hints === hints &&
    node.data.pinned === pinned &&
    node.data.open === open &&
    node.data.takesDrop === takesDrop &&
    node.data.far === far &&
    node.selected === selected &&
    node.focusable === focusable &&
    node.position.x === place.x &&
    node.position.y === place.y
  );
}

function makeNode(contents: CardContents): EditorCardNode {
  const { card, place, problems, hints, pinned, open, takesDrop, selected, focusable, far } = contents;
  const height = cardHeight(card) + (card.id === triggerSource && card.icon === "webhook" ? addressHeight : 0);
  const size = { width: cardSize.width, height };
  return {
    id: card.id,
    type: card.type === itemStart ? "start" : card.id === triggerSource ? "trigger" : "card",
    position: place,
    ...size,
    measured: size,
    handles: cardHandles(card),
    data: { card, problems, hints, pinned, open, takesDrop, far },
    selected,
    focusable,
    // A click focuses a card. Tab reaches only one of them; the arrow keys reach the others.
    domAttributes: { "aria-describedby": statusId(card.id), ...(focusable ? {} : { tabIndex: -1 }) },
    ariaRole: "group",
    ariaLabel: problems === 0 ? card.name : `${card.name}, ${countOfProblems(problems)}`,
    // Above every wire, so that wires pass behind cards.
    zIndex: 2,
  };
}

function placesOf(draft: FlowDraft): Map<string, Place> {
  const places = new Map<string, Place>(draft.nodes.map((node) => [node.id, node.position]));
  places.set(triggerSource, triggerPlace(draft));
  return places;
}

/** By node; a loop's count includes its body's nodes. */
function countProblems(problems: readonly PlacedProblem[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { nodeId, within = [] } of problems) {
    for (const id of nodeId === undefined ? within : [...within, nodeId]) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
