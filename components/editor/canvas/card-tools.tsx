import { ActionIcon, Tooltip } from "@mantine/core";
import { NodeToolbar, Position } from "@xyflow/react";
import { memo } from "react";
import { isMac } from "#components/palette/palette-loader.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { keysOf } from "../actions/action.ts";
import { actionIcons } from "../actions/action-icons.ts";
import { actionOf } from "../actions/all-actions.ts";
import { bodyGraphOf } from "../levels/level.ts";
import { useEditor, useEditorState, useLevel, useSession } from "../state/editor-context.ts";
import type { EditorSession } from "../state/editor-session.ts";
import styles from "./card-tools.module.css";

const offered = ["run-to", "open-body", "toggle-disabled", "duplicate", "delete"];

/** Actions on the hovered card, or else on the selected one. One toolbar serves the whole canvas. */
export const CardTools = memo(function CardTools() {
  const id = useEditorState(({ hoveredCard, selection, isDragging }) => {
    if (isDragging) return null;
    const [only = null] = selection.nodes.size === 1 ? selection.nodes : [];
    return hoveredCard ?? only;
  });
  const name = useLevel(({ nodes }) => nodes.find((node) => node.id === id)?.name ?? null);
  return id === null || id === triggerSource || name === null ? null : <Tools id={id} name={name} />;
});

function Tools({ id, name }: { readonly id: string; readonly name: string }) {
  const session = useSession();
  const editor = useEditor();
  const isDisabled = useLevel(({ nodes }) => nodes.find((node) => node.id === id)?.disabled === true);
  const stay = () => editor.store.setState({ hoveredCard: id });
  const leave = () => editor.store.setState({ hoveredCard: null });
  const isInBody = useEditorState((state) => state.within.length > 0);
  const hasBody = useLevel(({ nodes }) =>
    nodes.some((node) => node.id === id && bodyGraphOf(node, editor.types) !== null),
  );
  const actions = offered
    .filter((action) => !(action === "run-to" && isInBody) && !(action === "open-body" && !hasBody))
    .map(actionOf);
  return (
    <NodeToolbar nodeId={id} isVisible position={Position.Top} align="start" offset={0}>
      {/* Mouse events, as on the cards: if the pointer is captured, both get the same event. */}
      <div
        className={`${styles.tools} nodrag nopan`}
        role="toolbar"
        aria-label={`Actions on ${name}`}
        data-card-tools={id}
        onMouseEnter={stay}
        onMouseLeave={leave}
      >
        <div className={styles.bar}>
          {actions.map((action) => {
            const Icon = actionIcons[action.id];
            const label = action.id === "toggle-disabled" ? (isDisabled ? "Enable" : "Disable") : action.label;
            const keys = keysOf(action, isMac());
            return (
              <Tooltip key={action.id} label={keys === null ? label : `${label} · ${keys}`} position="top">
                <ActionIcon variant="subtle" size={26} aria-label={label} onClick={() => act(session, id, action.id)}>
                  {Icon && <Icon size={15} />}
                </ActionIcon>
              </Tooltip>
            );
          })}
        </div>
      </div>
    </NodeToolbar>
  );
}

/** Applies an action to one card, whatever is selected. Disabling does not change the selection. */
function act(session: EditorSession, id: string, actionId: string): void {
  const { editor } = session;
  const { nodes, edges } = editor.selection;
  editor.select([id]);
  void actionOf(actionId).run(session);
  if (actionId === "toggle-disabled") editor.select(nodes, edges);
}
