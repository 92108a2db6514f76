import { useStore } from "zustand";
import { isJsonObject } from "#lib/engine/json.ts";
import { nameOf } from "../commands/connect.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./run-drawer.module.css";
import { useNodeData } from "./use-node-data.ts";
import { whySkipped } from "./why-skipped.ts";

/** Why a node did not run: the nodes that went another way, with what they decided on. */
export function WhySkipped({ id }: { readonly id: string }) {
  const { editor, view, runs } = useSession();
  const nodes = useStore(runs.store, (state) => state.nodes);
  const draft = useEditorState((state) => state.draft);
  const decisions = whySkipped(draft, nodes, id);
  if (decisions.length === 0)
    return (
      <p className={styles.hint}>No condition led elsewhere: the run was to end before this node, or was stopped.</p>
    );
  return (
    <ul className={styles.why}>
      {decisions.map(({ nodeId, what, condition }) => (
        <li key={nodeId}>
          It did not run because of{" "}
          <button
            type="button"
            onClick={() => {
              editor.select([nodeId]);
              view.port?.focus(nodeId);
            }}
          >
            {nameOf(draft.nodes, nodeId)}
          </button>
          : {what}.{condition !== null && <Condition nodeId={nodeId} condition={condition} />}
        </li>
      ))}
    </ul>
  );
}

/** What was decided on, and what it came to. */
function Condition({ nodeId, condition }: { readonly nodeId: string; readonly condition: string }) {
  const input = useNodeData(nodeId).data?.input;
  const value = isJsonObject(input) ? (input.condition ?? input.value) : undefined;
  return (
    <code>
      {condition}
      {value !== undefined && ` = ${JSON.stringify(value).slice(0, 200)}`}
    </code>
  );
}
