import type { DraftChange } from "#lib/engine/changes/diff-drafts.ts";
import styles from "./history-panel.module.css";

/** The differences between two states of a flow, field by field. */
export function ChangeList({ changes }: { readonly changes: readonly DraftChange[] }) {
  return changes.map((change, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew as a whole, and names may be alike
    <Change key={index} change={change} />
  ));
}

function Change({ change }: { readonly change: DraftChange }) {
  return (
    <div className={styles.change}>
      <span>
        <span className={styles.kind} data-kind={change.kind}>
          {change.kind}
        </span>
        {change.what}
      </span>
      {change.fields.map((field) => (
        <div key={field.path} className={`${styles.field} mono`}>
          {field.path}: <span className={styles.before}>{short(field.before)}</span> →{" "}
          <span className={styles.after}>{short(field.after)}</span>
        </div>
      ))}
    </div>
  );
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "not set";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
