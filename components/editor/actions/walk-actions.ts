import type { DraftEdge, FlowDraft } from "#lib/engine/changes/flow-draft.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { nameOf } from "../commands/connect.ts";
import { canvasOf } from "../draft/canvas-settings.ts";
import { triggerPlace } from "../draft/place-draft.ts";
import { selectedLoop } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { Action } from "./action.ts";
import { selectedGroup } from "./add-actions.ts";

type Direction = "left" | "right" | "up" | "down";

/** The card that an arrow key leads to: along the wires sideways, to the nearest one vertically. */
export function neighbourOf(draft: FlowDraft, from: string, direction: Direction): string | null {
  const reached = new Set(draft.edges.map((edge) => edge.target));
  const implied = draft.nodes
    .filter((node) => !reached.has(node.id))
    .map((node) => ({ source: triggerSource, target: node.id }));
  const edges = [...draft.edges, ...implied];
  if (direction === "right") return edges.find((edge) => edge.source === from)?.target ?? null;
  if (direction === "left") return edges.find((edge) => edge.target === from)?.source ?? null;
  const places = [
    ...draft.nodes.map((node) => ({ id: node.id, ...node.position })),
    { id: triggerSource, ...triggerPlace(draft) },
  ];
  const own = places.find((place) => place.id === from);
  if (own === undefined) return null;
  const beyond = places.filter((place) => (direction === "up" ? place.y < own.y : place.y > own.y));
  const distance = (place: { x: number; y: number }) => Math.abs(place.x - own.x) * 2 + Math.abs(place.y - own.y);
  return beyond.toSorted((a, b) => distance(a) - distance(b))[0]?.id ?? null;
}

/** From the selected or focused card; after a removal to the card before it, else to the trigger. */
function walk({ editor, view }: EditorSession, direction: Direction): void {
  const [from = view.port?.focused() ?? null] = editor.selection.nodes;
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
