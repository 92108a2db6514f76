import { Button } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { canRun } from "#components/editor/actions/action.ts";
import { ActionButton, ActionKeys } from "#components/editor/actions/action-button.tsx";
import { actionIcons } from "#components/editor/actions/action-icons.ts";
import { actionOf } from "#components/editor/actions/all-actions.ts";
import { HistoryPanel } from "#components/editor/history/history-panel.tsx";
import { ImportPanel } from "#components/editor/imported/import-panel.tsx";
import { useEditorState, useLevel, useSession } from "#components/editor/state/editor-context.ts";
import { SizeGrip, useStoredSize } from "#components/page/size-grip.tsx";
import { TestsPanel } from "#components/tests/tests-panel.tsx";
import { triggerSource } from "#lib/engine/flow.ts";
import { StartPanel } from "../levels/start-panel.tsx";
import { FlowPanel } from "./flow-panel.tsx";
import { NodePanel } from "./node-panel.tsx";
import { PaneHead } from "./pane-head.tsx";
import { ProblemPanel } from "./problem-panel.tsx";
import styles from "./side-pane.module.css";
import { TriggerPanel } from "./trigger-panel.tsx";

const lines = [
  ["align-left", "align-middle", "align-right", "distribute-across"],
  ["align-top", "align-center", "align-bottom", "distribute-down"],
];
const offered = ["group", "tidy-selection", "move-into", "move-out", "copy", "duplicate", "toggle-disabled", "delete"];

/** Actions on several selected items. */
function SelectionPanel() {
  const session = useSession();
  const count = useEditorState((state) => state.selection.nodes.size);
  return (
    <>
      <PaneHead title={`${count} selected`} />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start", gap: 6 }}>
        <div className={styles.aligning} role="toolbar" aria-label="Align">
          {lines.map((ids) => (
            <div key={ids[0]} className={styles.line}>
              {ids.map((id) => (
                <ActionButton key={id} id={id} />
              ))}
            </div>
          ))}
        </div>
        {offered.map(actionOf).map((action) => {
          if (action.id.startsWith("move-") && !canRun(action, session)) return null;
          const Icon = actionIcons[action.id];
          return (
            <Button
              key={action.id}
              variant="default"
              justify="space-between"
              leftSection={Icon && <Icon size={15} aria-hidden="true" />}
              rightSection={<ActionKeys action={action} />}
              styles={{ label: { flex: 1 } }}
              disabled={!canRun(action, session)}
              onClick={() => void action.run(session)}
            >
              {action.label}
            </Button>
          );
        })}
      </div>
    </>
  );
}

const widths = { key: "millrace:panel-width", usual: 380, least: 300, most: 760 } as const;
/** The minimum width left for the canvas and the palette. */
const canvasLeastPx = 480;

/** Details of the selection or of the flow; resizable. */
export function SidePane() {
  const side = useEditorState((state) => state.side);
  const selected = useLaidSelection();
  const [id = null] = selected;
  const isNode = useLevel((level) => level.nodes.some((node) => node.id === id));
  const isInBody = useEditorState((state) => state.within.length > 0);
  if (side === "flow") return <Resizable label="Flow settings">{<FlowPanel />}</Resizable>;
  if (side === "history") return <Resizable label="Versions">{<HistoryPanel />}</Resizable>;
  if (side === "problems") return <Resizable label="Problems">{<ProblemPanel />}</Resizable>;
  if (side === "imported") return <Resizable label="Import report">{<ImportPanel />}</Resizable>;
  if (side === "tests") return <Resizable label="Tests">{<TestsPanel />}</Resizable>;
  if (id === null) return null;
  if (selected.size > 1) {
    return (
      <Resizable label="Selection">
        <SelectionPanel />
      </Resizable>
    );
  }
  if (id !== triggerSource && !isNode) return null;
  return (
    <Resizable label="Node">
      {id === triggerSource ? isInBody ? <StartPanel /> : <TriggerPanel /> : <NodePanel key={id} id={id} />}
    </Resizable>
  );
}

/** The selection; during a drag, the previous one, so that the panel does not open over the drop target. */
function useLaidSelection(): ReadonlySet<string> {
  const selected = useEditorState((state) => state.selection.nodes);
  const isDragging = useEditorState((state) => state.isDragging);
  const [laid, setLaid] = useState(selected);
  if (!isDragging && laid !== selected) setLaid(selected);
  return isDragging ? laid : selected;
}

function Resizable({ children, label }: { readonly children: ReactNode; readonly label: string }) {
  const { editor, view } = useSession();
  const width = useStoredSize(widths);
  /**
   * Escape returns the focus to the card, or to the trigger's if none is selected; first it closes anything open in a
   * field. In a dialog of the panel, which React also reports here, it closes the dialog.
   */
  const goBack = (event: KeyboardEvent) => {
    const [id = triggerSource] = editor.selection.nodes;
    const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== "Escape" || event.defaultPrevented || !isWithin) return;
    event.stopPropagation();
    view.port?.focus(id);
  };
  const pane = useRef<HTMLElement>(null);
  const side = useEditorState((state) => state.side);
  // What was asked for by a menu, a key or a command is read next; a selected card keeps the focus beside its panel.
  useEffect(() => {
    if (side !== "node") pane.current?.focus({ preventScroll: true });
  }, [side]);
  return (
    <aside
      ref={pane}
      data-side-pane
      className={styles.pane}
      style={{ width: width.px }}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={goBack}
    >
      <SizeGrip edge="left" label="Panel width" spare={canvasLeastPx} {...width} />
      {children}
    </aside>
  );
}
