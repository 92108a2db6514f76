import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { CardBadge } from "#components/canvas/card-face.tsx";
import { cardHeight, cardSize, type FlowGraph, type Wire } from "#components/canvas/flow-graph.ts";
import { changeGroup, toggleGroup } from "#components/editor/commands/change.ts";
import type { Place } from "#components/editor/commands/move.ts";
import type { CanvasGroup } from "#components/editor/draft/canvas-settings.ts";
import { problemsOn } from "#components/editor/draft/read-problems.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { nodesOnCanvas } from "#components/editor/state/run-watch.ts";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { CardMarks } from "./editor-card.tsx";
import styles from "./group-frame.module.css";

/** Precedence of node statuses for a group's status. */
const weight = ["failed", "running", "cancelled", "pending", "completed", "skipped"] as const;

/** What a collapsed group hides: its nodes' problems, and their status in the displayed run. */
function ClosedGroupMarks({ nodeIds }: { readonly nodeIds: readonly string[] }) {
  const problems = useEditorState((state) => {
    const wrong = state.problems.filter(({ severity }) => severity !== "info");
    return nodeIds.reduce((sum, id) => sum + problemsOn(wrong, id), 0);
  });
  const status = useStore(useSession().runs.store, (state) => worstOf(nodeIds, nodesOnCanvas(state)));
  return (
    <>
      <CardMarks problems={problems} hints={0} pinned={false} />
      {status !== null && (
        <span className={styles.status} data-status={status}>
          <CardBadge of={{ status }} duration={null} />
        </span>
      )}
    </>
  );
}

function worstOf(
  nodeIds: readonly string[],
  nodes: ReadonlyMap<string, ShownNodeExecution>,
): ShownNodeExecution["status"] | null {
  const statuses = new Set(nodeIds.map((id) => nodes.get(id)?.status));
  return weight.find((status) => statuses.has(status)) ?? null;
}

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
          aria-label={collapsed ? `Expand the group ${name}` : `Collapse the group ${name}`}
          onClick={() => editor.change(...toggleGroup(group))}
        >
          <Chevron size={14} />
        </button>
        <input
          ref={field}
          className={`${styles.name} nodrag`}
          dir="auto"
          value={name}
          maxLength={100}
          aria-label="Group name"
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
            if (event.nativeEvent.isComposing) return;
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

const padding = { side: 20, top: 40 } as const;

export interface GroupBox extends Place {
  readonly group: CanvasGroup;
  readonly width: number;
  readonly height: number;
}

/** The frames of groups: around their nodes or, if collapsed, in the place of the first. */
export function groupBoxes(
  groups: readonly CanvasGroup[],
  { cards }: FlowGraph,
  places: ReadonlyMap<string, Place>,
): GroupBox[] {
  return groups.flatMap((group) => {
    const members = cards
      .filter((card) => group.nodeIds.includes(card.id))
      .map((card) => ({ card, place: places.get(card.id) ?? { x: 0, y: 0 } }));
    if (members.length === 0) return [];
    const left = Math.min(...members.map(({ place }) => place.x));
    const top = Math.min(...members.map(({ place }) => place.y));
    if (group.collapsed) return [{ group, x: left, y: top, width: cardSize.width, height: cardSize.head }];
    const right = Math.max(...members.map(({ place }) => place.x + cardSize.width));
    const bottom = Math.max(...members.map(({ card, place }) => place.y + cardHeight(card)));
    return [
      {
        group,
        x: left - padding.side,
        y: top - padding.top,
        width: right - left + 2 * padding.side,
        height: bottom - top + padding.top + padding.side,
      },
    ];
  });
}

/** Where a wire is drawn while nodes are hidden: from and to the group that hides them; null within one group. */
export function wireOutside(
  wire: Wire,
  hidden: ReadonlyMap<string, string>,
): { source: string; target: string } | null {
  const source = hidden.get(wire.source) ?? wire.source;
  const target = hidden.get(wire.target) ?? wire.target;
  return source === target ? null : { source, target };
}
