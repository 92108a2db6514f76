import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { DraftChange } from "#lib/engine/changes/diff-drafts.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import { fieldTitle } from "#lib/engine/issue-message.ts";
import { allPlaced } from "../levels/level.ts";
import styles from "./history-panel.module.css";

interface ChangeListProps {
  readonly changes: readonly DraftChange[];
  /** The changed nodes, whose fields are named as in their forms. */
  readonly nodes: readonly FlowNode[];
  readonly types: readonly NodeType[];
}

/** The differences between two states of a flow, field by field. */
export function ChangeList({ changes, nodes, types }: ChangeListProps) {
  const typeOf = new Map(allPlaced(nodes, types).map(({ node }) => [node.id, node.type]));
  return changes.map((change, index) => {
    const type = types.find((candidate) => candidate.type === typeOf.get(change.nodeId ?? ""));
    // biome-ignore lint/suspicious/noArrayIndexKey: the whole list is rebuilt, and names can repeat
    return <Change key={index} change={change} configSchema={type?.configSchema} />;
  });
}

function Change({ change, configSchema }: { readonly change: DraftChange; readonly configSchema: unknown }) {
  return (
    <div className={styles.change}>
      <span>
        <span className={styles.kind} data-kind={change.kind}>
          {change.kind}
        </span>
        <bdi>{change.what}</bdi>
      </span>
      {change.fields.map((field) => (
        <div key={field.path} className={`${styles.field} mono`}>
          {fieldName(field.path, configSchema)}: <bdi className={styles.before}>{short(field.before)}</bdi> →{" "}
          <bdi className={styles.after}>{short(field.after)}</bdi>
        </div>
      ))}
    </div>
  );
}

/** "config.condition" is "Condition"; a field that no form shows keeps its path. */
export function fieldName(path: string, configSchema: unknown): string {
  const [, inConfig] = /^config\.(.+)$/.exec(path) ?? [];
  return inConfig === undefined || configSchema === undefined ? path : fieldTitle(configSchema, inConfig);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "not set";
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
