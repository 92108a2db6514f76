import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import { triggerSource } from "#lib/engine/flow.ts";
import { HistoryPanel } from "../history/history-panel.tsx";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { FlowPanel } from "./flow-panel.tsx";
import { NodePanel } from "./node-panel.tsx";
import { ProblemPanel } from "./problem-panel.tsx";
import { SelectionPanel } from "./selection-panel.tsx";
import styles from "./side-pane.module.css";
import { TriggerPanel } from "./trigger-panel.tsx";

const width = { key: "millrace:panel-width", start: 380, least: 300, most: 760, step: 20 } as const;

/** What is known of the selected thing, or of the flow; as wide as the user wants it. */
export function SidePane() {
  const side = useEditorState((state) => state.side);
  const selected = useLaidSelection();
  const [id = null] = selected;
  const isNode = useEditorState((state) => state.draft.nodes.some((node) => node.id === id));
  if (side === "flow") return <Resizable label="Settings of the flow">{<FlowPanel />}</Resizable>;
  if (side === "history") return <Resizable label="Versions">{<HistoryPanel />}</Resizable>;
  if (side === "problems") return <Resizable label="Problems">{<ProblemPanel />}</Resizable>;
  if (id === null) return null;
  if (selected.size > 1) {
    return (
      <Resizable label="Selection">
        <SelectionPanel />
      </Resizable>
    );
  }
  if (id !== triggerSource && !isNode) return null;
  return <Resizable label="Node">{id === triggerSource ? <TriggerPanel /> : <NodePanel key={id} id={id} />}</Resizable>;
}

/** What is selected; as it was before, while a card is dragged: the panel does not open over where the card is to go. */
function useLaidSelection(): ReadonlySet<string> {
  const selected = useEditorState((state) => state.selection.nodes);
  const isDragging = useEditorState((state) => state.isDragging);
  const [laid, setLaid] = useState(selected);
  if (!isDragging && laid !== selected) setLaid(selected);
  return isDragging ? laid : selected;
}

function Resizable({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  const { editor, view } = useSession();
  const [size, setSize] = useState(storedWidth);
  const resize = (to: number) => {
    const next = Math.round(Math.max(width.least, Math.min(width.most, to)));
    setSize(next);
    window.localStorage.setItem(width.key, String(next));
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const [from, before] = [event.clientX, size];
    const grip = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => resize(before + from - moved.clientX);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("pointerup", () => grip.removeEventListener("pointermove", move), { once: true });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowLeft") resize(size + width.step);
    if (key === "ArrowRight") resize(size - width.step);
  };
  /** Whoever came from a card goes back to it; what is open in a field is closed before. */
  const goBack = (event: KeyboardEvent) => {
    const [id] = editor.selection.nodes;
    if (event.key !== "Escape" || event.defaultPrevented || id === undefined) return;
    event.stopPropagation();
    view.port?.focus(id);
  };
  return (
    <aside data-side-pane className={styles.pane} style={{ width: size }} aria-label={label} onKeyDown={goBack}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule that can be moved has no element of its own */}
      <div
        className={styles.grip}
        role="separator"
        aria-orientation="vertical"
        aria-label="Width of the panel"
        aria-valuenow={size}
        aria-valuemin={width.least}
        aria-valuemax={width.most}
        tabIndex={0}
        onPointerDown={drag}
        onKeyDown={onKeyDown}
      />
      {children}
    </aside>
  );
}

function storedWidth(): number {
  const stored = Number(window.localStorage.getItem(width.key));
  return stored >= width.least && stored <= width.most ? stored : width.start;
}
