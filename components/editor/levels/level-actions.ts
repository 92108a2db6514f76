import type { Action } from "../actions/action.ts";
import { nameOf } from "../commands/connect.ts";
import { moveInto, moveOut, refuseMoveInto, refuseMoveOut } from "../commands/move-between.ts";
import type { CanvasView } from "../state/canvas-view.ts";
import type { Editor } from "../state/editor.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { bodyGraphOf, levelAt, runsFlow } from "./level.ts";

const framesMax = 30;

/** Focuses a card on a canvas that may still be rendering, and then continues. */
export function focusOnceShown(view: CanvasView, id: string, then: () => void = () => {}): void {
  const look = (frames: number) => {
    const isShown = document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`) !== null;
    if (!isShown && frames > 0) return void requestAnimationFrame(() => look(frames - 1));
    view.port?.focus(id);
    then();
  };
  requestAnimationFrame(() => look(framesMax));
}

/** Shows a node on its level, selected and focused. */
export function goToNode({ editor, view }: EditorSession, id: string): void {
  if (editor.reveal(id)) focusOnceShown(view, id);
}

/** The selected node, if it is the only one and has a body that can be opened. */
export function selectedLoop({ level, selection, types }: Editor): string | null {
  const [id] = selection.nodes;
  const node = selection.nodes.size === 1 ? level.nodes.find((candidate) => candidate.id === id) : undefined;
  return node !== undefined && bodyGraphOf(node, types) !== null ? node.id : null;
}

/** Opens a loop's body on the canvas, or says why its JSON is not a graph. */
export function openBody({ editor, view }: EditorSession, id: string): void {
  const node = editor.level.nodes.find((candidate) => candidate.id === id);
  if (node === undefined) return;
  if (bodyGraphOf(node, editor.types) === null) {
    const why = runsFlow(node)
      ? `“${node.name}” runs another flow for each item. To give it a body, clear its flow.`
      : `The body of “${node.name}” is not a graph of nodes. Fix it as JSON first.`;
    editor.say(why, { tone: "problem" });
    return;
  }
  editor.enter([...editor.store.getState().within, id]);
  const [first] = editor.level.nodes;
  if (first !== undefined) focusOnceShown(view, "trigger");
}

/** Shows the level around the current one, with the loop just left selected. */
export function closeBody(session: EditorSession): void {
  const last = session.editor.store.getState().within.at(-1);
  if (last !== undefined) goToNode(session, last);
}

/** Moves the selected nodes into a loop's body, and shows them there; or says why they cannot move. */
export function moveSelectedInto(session: EditorSession, loopId: string): void {
  const { editor, view } = session;
  const { within } = editor.store.getState();
  const moved = moveNodesInto(editor, editor.selection.nodes, loopId);
  if (moved === null) return;
  editor.enter([...within, loopId]);
  editor.select(moved);
  const [first] = moved;
  if (first !== undefined) focusOnceShown(view, first);
}

/** Moves cards dropped on a loop into its body. The canvas stays on its level. */
export function dropIntoLoop(session: EditorSession, ids: ReadonlySet<string>, loopId: string): void {
  const { editor } = session;
  if (moveNodesInto(editor, ids, loopId) === null) return;
  const run = () => openBody(session, loopId);
  editor.select([loopId]);
  editor.say(`Moved into “${nameOf(editor.level.nodes, loopId)}”.`, { action: { label: "Open body", run } });
}

/** The ids of the moved nodes; null if they cannot move. */
function moveNodesInto(editor: Editor, selected: ReadonlySet<string>, loopId: string): string[] | null {
  const { level, types, catalogue } = editor;
  const { within } = editor.store.getState();
  const ids = new Set([...selected].filter((id) => id !== loopId));
  const refused = refuseMoveInto(level, ids, loopId, catalogue);
  if (refused !== null) {
    editor.say(refused, { tone: "problem" });
    return null;
  }
  editor.changeFlow("Move into the loop", moveInto(within, ids, loopId, types));
  return level.nodes.filter((node) => ids.has(node.id)).map((node) => node.id);
}

/** Moves nodes of the open body out in one step, to the level at `depth` of the path (0: the flow), and shows them there. */
export function moveNodesOut({ editor, view }: EditorSession, ids: ReadonlySet<string>, depth: number): void {
  const { types, catalogue } = editor;
  const { within } = editor.store.getState();
  const steps = within.slice(depth).map((_, index) => within.slice(0, within.length - index));
  let next = editor.draft;
  for (const path of steps) {
    const [body, around] = [levelAt(next, path, types), levelAt(next, path.slice(0, -1), types)];
    const refused = refuseMoveOut(body, around, ids, path.at(-1) ?? "", catalogue);
    if (refused !== null) {
      editor.say(refused, { tone: "problem" });
      return;
    }
    next = moveOut(path, ids, types)(next);
  }
  editor.changeFlow("Move out of the loop", (flow) =>
    steps.reduce((moved, path) => moveOut(path, ids, types)(moved), flow),
  );
  editor.enter(within.slice(0, depth));
  editor.select(ids);
  const [first] = ids;
  if (first !== undefined) focusOnceShown(view, first);
}

const isInBody = ({ editor }: EditorSession) => editor.store.getState().within.length > 0;
const hasNodes = ({ editor: { level, selection } }: EditorSession) =>
  level.nodes.some((node) => selection.nodes.has(node.id));

export const levelActions: readonly Action[] = [
  {
    id: "open-body",
    label: "Open the loop’s body",
    group: "Edit",
    shortcuts: ["Enter", "mod+ArrowDown"],
    enabled: ({ editor }) => selectedLoop(editor) !== null,
    run: (session) => {
      const id = selectedLoop(session.editor);
      if (id !== null) openBody(session, id);
    },
  },
  {
    id: "close-body",
    label: "Back to the flow around this loop",
    group: "View",
    shortcuts: ["mod+ArrowUp"],
    enabled: isInBody,
    run: closeBody,
  },
  {
    id: "move-into",
    label: "Move into a loop",
    group: "Arrange",
    enabled: (session) => hasNodes(session) && loopsBeside(session.editor).length > 0,
    run: (session) => {
      const [only, ...others] = loopsBeside(session.editor);
      if (only !== undefined && others.length === 0) moveSelectedInto(session, only);
      else session.editor.store.setState({ isMoving: true });
    },
  },
  {
    id: "move-out",
    label: "Move out of the loop",
    group: "Arrange",
    enabled: (session) => isInBody(session) && hasNodes(session),
    run: (session) => {
      const { level, selection, store } = session.editor;
      const ids = new Set(level.nodes.map(({ id }) => id).filter((id) => selection.nodes.has(id)));
      moveNodesOut(session, ids, store.getState().within.length - 1);
    },
  },
];

/** The loops into which the selected nodes can be moved: those beside them that can hold them. */
export function loopsBeside({ level, selection, types }: Editor): string[] {
  const loops = level.nodes.filter((node) => bodyGraphOf(node, types) !== null);
  const others = loops.filter((node) => !selection.nodes.has(node.id));
  if (others.length > 0 || selection.nodes.size < 2) return others.map(({ id }) => id);
  // A loop selected together with other nodes takes them.
  return loops.map(({ id }) => id);
}
