import { cardHeight, cardSize, drawFlow } from "#components/canvas/flow-graph.ts";
import { changeNote } from "#components/editor/commands/change.ts";
import { align, alignments, type Box, distribute, move } from "#components/editor/commands/move.ts";
import { withMembers } from "#components/editor/commands/remove.ts";
import { type CanvasNote, canvasOf, noteSizeMin } from "#components/editor/draft/canvas-settings.ts";
import { triggerPlace } from "#components/editor/draft/place-draft.ts";
import type { Editor } from "#components/editor/state/editor.ts";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { Action } from "./action.ts";

const labels = {
  left: "Align left",
  middle: "Align horizontal centers",
  right: "Align right",
  top: "Align top",
  center: "Align vertical centers",
  bottom: "Align bottom",
} as const;

const several = (count: number) => (session: EditorSession) => session.editor.selection.nodes.size >= count;
const step = 10;

const nudges = (
  [
    ["up", 0, -step],
    ["down", 0, step],
    ["left", -step, 0],
    ["right", step, 0],
  ] as const
).map(
  ([direction, x, y]): Action => ({
    id: `nudge-${direction}`,
    label: `Move ${direction}`,
    group: "Arrange",
    shortcuts: [`shift+Arrow${direction.charAt(0).toUpperCase()}${direction.slice(1)}`],
    enabled: several(1),
    run: ({ editor }) => {
      const ids = withMembers(editor.level, editor.selection.nodes);
      const places = selectedBoxes(editor, ids).map((box) => [box.id, { x: box.x + x, y: box.y + y }] as const);
      editor.change("Move", move(new Map(places)), `nudge ${[...ids].join(" ")}`);
    },
  }),
);

/** The selected note, if it is the only one. */
function selectedNote({ level, selection }: Editor): CanvasNote | undefined {
  return selection.nodes.size === 1 ? canvasOf(level).notes.find(({ id }) => selection.nodes.has(id)) : undefined;
}

const resizes = (
  [
    ["right", "wider", "width", 2 * step],
    ["left", "narrower", "width", -2 * step],
    ["down", "taller", "height", 2 * step],
    ["up", "shorter", "height", -2 * step],
  ] as const
).map(
  ([direction, how, side, by]): Action => ({
    id: `note-${how}`,
    label: `Make the note ${how}`,
    group: "Arrange",
    shortcuts: [`mod+shift+Arrow${direction.charAt(0).toUpperCase()}${direction.slice(1)}`],
    enabled: ({ editor }) => selectedNote(editor) !== undefined,
    run: ({ editor }) => {
      const note = selectedNote(editor);
      if (note === undefined) return;
      const size = Math.max(noteSizeMin[side], note[side] + by);
      editor.change("Resize the note", changeNote(note.id, { [side]: size }), `resize ${note.id}`);
    },
  }),
);

export const arrangeActions: readonly Action[] = [
  ...alignments.map(
    (how): Action => ({
      id: `align-${how}`,
      label: labels[how],
      group: "Arrange",
      enabled: several(2),
      run: ({ editor }) => editor.change(labels[how], move(align(selectedBoxes(editor), how))),
    }),
  ),
  {
    id: "distribute-across",
    label: "Distribute horizontally",
    group: "Arrange",
    enabled: several(3),
    run: ({ editor }) => editor.change("Distribute", move(distribute(selectedBoxes(editor), "x"))),
  },
  {
    id: "distribute-down",
    label: "Distribute vertically",
    group: "Arrange",
    enabled: several(3),
    run: ({ editor }) => editor.change("Distribute", move(distribute(selectedBoxes(editor), "y"))),
  },
  ...nudges,
  ...resizes,
];

/** The selected cards and notes with their positions and sizes; `ids` overrides the selection. */
function selectedBoxes({ level: draft, selection, types }: Editor, ids: ReadonlySet<string> = selection.nodes): Box[] {
  const places = new Map(draft.nodes.map((node) => [node.id, node.position]));
  places.set(triggerSource, triggerPlace(draft));
  const cards = drawFlow(draft, types).cards.map((card) => {
    const { x, y } = places.get(card.id) ?? { x: 0, y: 0 };
    return { id: card.id, x, y, width: cardSize.width, height: cardHeight(card) };
  });
  return [...cards, ...canvasOf(draft).notes].filter((box) => ids.has(box.id));
}
