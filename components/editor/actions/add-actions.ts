import { cardSize } from "#components/canvas/flow-graph.ts";
import { changeCanvas, toggleGroup } from "#components/editor/commands/change.ts";
import { newId } from "#components/editor/draft/node-ids.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type CanvasGroup, canvasOf } from "../draft/canvas-settings.ts";
import { freePlace, triggerPlace } from "../draft/place-draft.ts";
import type { Editor } from "../state/editor.ts";
import type { EditorSession } from "../state/editor-session.ts";
import type { AddTarget } from "../state/editor-state.ts";
import type { Action } from "./action.ts";

/** The selected group, if it is the only one. */
export function selectedGroup({ level: draft, selection }: EditorSession["editor"]): CanvasGroup | null {
  const [id] = selection.nodes;
  return selection.nodes.size === 1 ? (canvasOf(draft).groups.find((group) => group.id === id) ?? null) : null;
}

const noteSize = { width: 240, height: 140 } as const;

type Wire = NonNullable<AddTarget["intoEdge"]>;

/** The wire to act on: the selected one, the one under the pointer, or the only one that leaves the selected card. */
export function wireForNewNode({
  level,
  selection,
  store,
}: Pick<Editor, "level" | "selection" | "store">): Wire | null {
  const starts = () => {
    const reached = new Set(level.edges.map((edge) => edge.target));
    return level.nodes.filter((node) => !reached.has(node.id));
  };
  const implied = (target: string) => ({ source: triggerSource, target });
  const wireOf = (id: string | null | undefined): Wire | null => {
    if (level.edges.some((edge) => edge.id === id)) return id ?? null;
    const start = starts().find((node) => id === `start-${node.id}`);
    return start === undefined ? null : implied(start.id);
  };
  const [edge] = selection.edges.size === 1 ? selection.edges : [];
  const pointed = wireOf(edge) ?? wireOf(store.getState().hoveredWire);
  if (pointed !== null || selection.nodes.size !== 1) return pointed;
  const [id] = selection.nodes;
  const leading: Wire[] =
    id === triggerSource
      ? starts().map((node) => implied(node.id))
      : level.edges.filter((edge) => edge.source === id).map((edge) => edge.id);
  const [only = null] = leading.length === 1 ? leading : [];
  return only;
}

function isOnCard({ level, selection }: Editor): boolean {
  const [id] = selection.nodes;
  return selection.nodes.size === 1 && (id === triggerSource || level.nodes.some((node) => node.id === id));
}

function askBeside({ editor, view }: EditorSession, overrides: Partial<AddTarget> = {}): void {
  const into = overrides.intoEdge;
  const wire = typeof into === "string" ? editor.level.edges.find((edge) => edge.id === into) : into;
  const [id = triggerSource] = wire === undefined ? editor.selection.nodes : [wire.source];
  const place = editor.level.nodes.find((node) => node.id === id)?.position ?? triggerPlace(editor.level);
  const beside = view.port?.toScreen({ x: place.x + cardSize.width + 16, y: place.y });
  editor.askWhatToAdd({ screen: beside ?? { x: 400, y: 200 }, at: null, ...overrides });
}

/** After the selected card, else the focused one: Escape first clears a card's selection, then its focus. */
function askAfter(session: EditorSession): void {
  const { editor, view } = session;
  const focused = view.port?.focused() ?? null;
  const isPlain = editor.selection.nodes.size === 0 && editor.selection.edges.size === 0;
  if (isPlain && editor.level.nodes.some((node) => node.id === focused)) editor.select([focused ?? ""]);
  askBeside(session);
}

export const addActions: readonly Action[] = [
  { id: "add", label: "Add a node", group: "Add", shortcuts: ["A", "N"], run: askAfter },
  {
    id: "insert-after",
    label: "Insert into this edge, or after this node",
    group: "Add",
    shortcuts: ["shift+A"],
    enabled: ({ editor }) => wireForNewNode(editor) !== null || isOnCard(editor),
    run: (session) => {
      const intoEdge = wireForNewNode(session.editor);
      // From a node with several outgoing wires, a new one goes beside them.
      askBeside(session, intoEdge === null ? {} : { intoEdge });
    },
  },
  {
    id: "connect",
    label: "Connect to…",
    group: "Add",
    shortcuts: ["C"],
    enabled: ({ editor: { selection, level } }) =>
      selection.nodes.size === 1 && level.nodes.some((node) => selection.nodes.has(node.id)),
    run: ({ editor }) => {
      const [id = null] = editor.selection.nodes;
      editor.store.setState({ connectingFrom: id });
    },
  },
  {
    id: "add-note",
    label: "Add a note",
    group: "Add",
    shortcuts: ["shift+N"],
    run: ({ editor, view }) => {
      const { notes } = canvasOf(editor.level);
      const id = `note:${newId("note", new Set(notes.map((note) => note.id.slice("note:".length))))}`;
      const middle = view.port?.middle() ?? { x: 0, y: 0 };
      const position = view.pointer === null || view.port === null ? middle : view.port.toCanvas(view.pointer);
      const note = {
        id,
        ...freePlace(editor.level, position, editor.types, noteSize),
        ...noteSize,
        text: "",
        color: "yellow" as const,
      };
      editor.change("Add a note", changeCanvas({ notes: [...notes, note] }));
      editor.select([id]);
      editor.write(id);
    },
  },
  {
    id: "group",
    label: "Group the selected nodes",
    group: "Add",
    shortcuts: ["mod+G"],
    enabled: ({ editor: { selection, level } }) =>
      level.nodes.filter((node) => selection.nodes.has(node.id)).length > 1,
    run: ({ editor }) => {
      const { groups } = canvasOf(editor.level);
      const nodeIds = editor.level.nodes.filter((node) => editor.selection.nodes.has(node.id)).map((node) => node.id);
      const id = `group:${newId("group", new Set(groups.map((group) => group.id.slice("group:".length))))}`;
      const others = groups
        .map((group) => ({ ...group, nodeIds: group.nodeIds.filter((member) => !nodeIds.includes(member)) }))
        .filter((group) => group.nodeIds.length > 0);
      editor.change("Group", changeCanvas({ groups: [...others, { id, name: "Group", nodeIds, collapsed: false }] }));
      editor.select([id]);
      editor.write(id);
    },
  },
  {
    id: "toggle-group",
    label: "Collapse or expand the group",
    group: "Add",
    enabled: ({ editor }) => selectedGroup(editor) !== null,
    run: ({ editor }) => {
      const group = selectedGroup(editor);
      if (group !== null) editor.change(...toggleGroup(group));
    },
  },
  {
    id: "ungroup",
    label: "Ungroup",
    group: "Add",
    shortcuts: ["mod+shift+G"],
    enabled: ({ editor: { selection, level } }) =>
      canvasOf(level).groups.some((group) => selection.nodes.has(group.id)),
    run: ({ editor }) => {
      const groups = canvasOf(editor.level).groups.filter((group) => !editor.selection.nodes.has(group.id));
      editor.change("Ungroup", changeCanvas({ groups }));
      editor.select([]);
    },
  },
];
