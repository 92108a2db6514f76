import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, useEffect, useRef } from "react";
import { changeGroup, toggleGroup } from "../commands/change-note.ts";
import type { CanvasGroup } from "../draft/canvas-settings.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { ClosedGroupMarks } from "./closed-group-marks.tsx";
import styles from "./group-frame.module.css";

export type GroupNode = Node<{ group: CanvasGroup }, "group-frame">;

/** A frame around nodes that belong together, or a single card in their place. */
export const GroupFrame = memo(function GroupFrame({ data: { group }, selected }: NodeProps<GroupNode>) {
  const { editor, view } = useSession();
  const isNaming = useEditorState((state) => state.writingOn === group.id);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNaming) field.current?.select();
  }, [isNaming]);
  const { collapsed, name, nodeIds } = group;
  const Chevron = collapsed ? IconChevronRight : IconChevronDown;
  return (
    <div className={styles.frame} data-collapsed={collapsed || undefined} data-selected={selected || undefined}>
      {collapsed && (
        <Handle id="in" type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      )}
      <div className={styles.head}>
        <button
          type="button"
          className={`${styles.toggle} nodrag`}
          aria-expanded={!collapsed}
          aria-label={collapsed ? `Open the group ${name}` : `Close the group ${name}`}
          onClick={() => editor.change(...toggleGroup(group))}
        >
          <Chevron size={14} />
        </button>
        <input
          ref={field}
          className={`${styles.name} nodrag`}
          value={name}
          maxLength={100}
          aria-label="Name of the group"
          onChange={(event) => {
            const { value } = event.currentTarget;
            editor.change("Rename the group", changeGroup(group.id, { name: value }), group.id);
          }}
          onBlur={() => {
            editor.write(null);
            editor.endGesture();
          }}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Escape" || event.key === "Enter") view.port?.focus(group.id);
          }}
        />
        {collapsed && (
          <span className={styles.count}>{nodeIds.length === 1 ? "1 node" : `${nodeIds.length} nodes`}</span>
        )}
      </div>
      {collapsed && <ClosedGroupMarks nodeIds={nodeIds} />}
      {collapsed && (
        <Handle id="out" type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
      )}
    </div>
  );
});
