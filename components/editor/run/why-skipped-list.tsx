import { useStore } from "zustand";
import { nameOf } from "../commands/connect.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./run-drawer.module.css";
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
      {decisions.map(({ nodeId, what, condition, value }) => (
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
          : {what}.
          {condition !== null && (
            <code>
              {condition}
              {value !== undefined && ` = ${(JSON.stringify(value) ?? "undefined").slice(0, 200)}`}
            </code>
          )}
        </li>
      ))}
    </ul>
  );
}
