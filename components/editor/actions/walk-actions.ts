import type { DraftEdge, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { nameOf } from "../commands/connect.ts";
import type { Place } from "../commands/move.ts";
import { canvasOf, hiddenBy } from "../draft/canvas-settings.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import { selectedLoop } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Action } from "./action.ts";
import { selectedGroup } from "./add-actions.ts";

type Direction = "left" | "right" | "up" | "down";

interface Stop {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

const isBeyond: Record<Direction, (place: Stop, own: Stop) => boolean> = {
  left: (place, own) => place.x < own.x,
  right: (place, own) => place.x > own.x,
  up: (place, own) => place.y < own.y,
  down: (place, own) => place.y > own.y,
};

/**
 * The card that an arrow key leads to: along the wires sideways, to the nearest one vertically. A collapsed group is the
 * card of its nodes. From a note, or the frame of an open group, every arrow leads to the nearest card.
 */
export function neighbourOf(draft: FlowDraft, from: string, direction: Direction): string | null {
  const { groups, notes } = canvasOf(draft);
  const hidden = hiddenBy(groups);
  const shown = (id: string) => hidden.get(id) ?? id;
  const stops: Stop[] = [
    ...draft.nodes.map(({ id, position }) => ({ id: shown(id), ...position })),
    { id: triggerSource, ...triggerPlace(draft) },
  ];
  const isOnWires = stops.some(({ id }) => id === from);
  if (isOnWires && (direction === "left" || direction === "right")) {
    const reached = new Set(draft.edges.map((edge) => edge.target));
    const starts = draft.nodes.filter((node) => !reached.has(node.id));
    const wires = [...draft.edges, ...starts.map((node) => ({ source: triggerSource, target: node.id }))]
      .map(({ source, target }) => ({ source: shown(source), target: shown(target) }))
      .filter(({ source, target }) => source !== target);
    if (direction === "right") return wires.find(({ source }) => source === from)?.target ?? null;
    return wires.find(({ target }) => target === from)?.source ?? null;
  }
  const members = new Set(groups.find(({ id }) => id === from)?.nodeIds);
  const framed = draft.nodes.filter(({ id }) => members.has(id)).map(({ position }) => position);
  const frame = framed.length === 0 ? undefined : cornerOf(from, framed);
  const own = frame ?? stops.find(({ id }) => id === from) ?? notes.find(({ id }) => id === from);
  if (own === undefined) return null;
  const beyond = stops.filter((place) => place.id !== from && isBeyond[direction](place, own));
  const isSideways = direction === "left" || direction === "right";
  const distance = ({ x, y }: Stop) => {
    const [across, along] = [Math.abs(x - own.x), Math.abs(y - own.y)];
    return isSideways ? across + along * 2 : across * 2 + along;
  };
  return beyond.toSorted((a, b) => distance(a) - distance(b))[0]?.id ?? null;
}

/** The corner of a group's frame, a little outside its first nodes. */
function cornerOf(id: string, places: readonly Place[]): Stop {
  return { id, x: Math.min(...places.map(({ x }) => x)) - 1, y: Math.min(...places.map(({ y }) => y)) - 1 };
}

/**
 * From the focused note or group, or else the selected or focused card; after a removal to the card before it, else to the
 * trigger.
 */
function walk({ editor, view }: EditorSession, direction: Direction): void {
  const focused = view.port?.focused() ?? null;
  const { groups, notes } = canvasOf(editor.level);
  const isAside = [...groups, ...notes].some(({ id }) => id === focused);
  const [from = focused] = isAside ? [] : editor.selection.nodes;
  const last = editor.level.nodes.some(({ id }) => id === view.beforeRemoved) ? view.beforeRemoved : null;
  const to = from === null ? (last ?? triggerSource) : neighbourOf(editor.level, from, direction);
  if (to === null) return;
  editor.select([to]);
  view.port?.focus(to);
}

/** The selected node, or the focused one: its card keeps the focus while one of its wires is selected. */
function nodeAtHand({ editor: { selection }, view }: EditorSession): string | null {
  if (selection.nodes.size > 1) return null;
  const [id = view.port?.focused() ?? null] = selection.nodes;
  return id;
}

/** A node's wires: the outgoing ones first. */
function wiresOf({ edges }: FlowDraft, id: string | null): readonly DraftEdge[] {
  return [...edges.filter(({ source }) => source === id), ...edges.filter(({ target }) => target === id)];
}

function selectNextWire(session: EditorSession): void {
  const { editor } = session;
  const wires = wiresOf(editor.level, nodeAtHand(session));
  const wire = wires[(wires.findIndex(({ id }) => editor.selection.edges.has(id)) + 1) % wires.length];
  if (wire === undefined) return;
  editor.select([], [wire.id]);
  const [from, to] = [wire.source, wire.target].map((id) => nameOf(editor.level.nodes, id));
  editor.say(`The wire from “${from}” to “${to}” is selected.`);
}

const directions = ["left", "right", "up", "down"] as const;

export const walkActions: readonly Action[] = [
  ...directions.map(
    (direction): Action => ({
      id: `walk-${direction}`,
      label: `Go ${direction}`,
      group: "View",
      shortcuts: [`Arrow${direction.charAt(0).toUpperCase()}${direction.slice(1)}`],
      run: (session) => walk(session, direction),
    }),
  ),
  {
    id: "next-wire",
    label: "Select the node’s next wire",
    group: "Edit",
    shortcuts: ["W"],
    enabled: (session) => wiresOf(session.editor.level, nodeAtHand(session)).length > 0,
    run: selectNextWire,
  },
  {
    id: "edit",
    label: "Edit",
    group: "Edit",
    // In a loop that can be opened, the key is for that.
    shortcuts: ["Enter"],
    enabled: ({ editor }) =>
      editor.selection.nodes.size === 1 && selectedGroup(editor) === null && selectedLoop(editor) === null,
    run: ({ editor }) => {
      const [id] = editor.selection.nodes;
      const note = canvasOf(editor.level).notes.find((candidate) => candidate.id === id);
      if (note !== undefined) editor.write(note.id);
      else focusInPanel(firstField);
    },
  },
  {
    id: "rename",
    label: "Rename",
    group: "Edit",
    shortcuts: ["F2"],
    enabled: ({ editor }) =>
      editor.selection.nodes.size === 1 &&
      (selectedGroup(editor) !== null || editor.level.nodes.some((node) => editor.selection.nodes.has(node.id))),
    run: ({ editor }) => {
      const group = selectedGroup(editor);
      if (group !== null) editor.write(group.id);
      else focusInPanel("[data-node-name]");
    },
  },
];

const firstField = ["input", "select", "textarea", '[contenteditable="true"]']
  .map((control) => `[data-field] ${control}`)
  .join(", ");

function focusInPanel(selector: string): void {
  const field = document.querySelector<HTMLElement>("[data-side-pane]")?.querySelector<HTMLElement>(selector);
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}
