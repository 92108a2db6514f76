import type { ShownExecution } from "#lib/contract/executions.ts";
import { nameOf } from "../commands/connect.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./run-drawer.module.css";

/** Why a run failed, and at which node; a press goes there. */
export function RunFailure({ error }: { readonly error: NonNullable<ShownExecution["error"]> }) {
  const { editor, view } = useSession();
  const nodes = useEditorState((state) => state.draft.nodes);
  const { nodeId, message } = error;
  const isThere = nodeId !== null && nodes.some((node) => node.id === nodeId);
  return (
    <p className={styles.failure}>
      {isThere && (
        <>
          <button
            type="button"
            className={styles.jump}
            onClick={() => {
              editor.select([nodeId]);
              view.port?.focus(nodeId);
            }}
          >
            {nameOf(nodes, nodeId)}
          </button>{" "}
          failed:{" "}
        </>
      )}
      {message}
    </p>
  );
}
