import { useStore } from "zustand";
import { CardBadge } from "#components/canvas/card-face.tsx";
import type { ShownNodeExecution } from "#lib/contract/executions.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { CardMarks } from "./card-marks.tsx";
import styles from "./group-frame.module.css";

/** What counts first of what the nodes of a group do. */
const weight = ["failed", "running", "cancelled", "pending", "completed", "skipped"] as const;

/** What a closed group hides: problems of its nodes, and how they fare in the run that is shown. */
export function ClosedGroupMarks({ nodeIds }: { readonly nodeIds: readonly string[] }) {
  const problems = useEditorState(
    (state) => state.problems.filter(({ nodeId }) => nodeId !== undefined && nodeIds.includes(nodeId)).length,
  );
  const status = useStore(useSession().runs.store, ({ nodes }) => worstOf(nodeIds, nodes));
  return (
    <>
      <CardMarks problems={problems} pinned={false} />
      {status !== null && (
        <span className={styles.status} data-status={status}>
          <CardBadge status={status} duration={null} />
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
