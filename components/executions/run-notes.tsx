import { IconAlertTriangle, IconBan, IconCircleX } from "@tabler/icons-react";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { FailureMessage } from "./failure-message.tsx";
import { readNodeError } from "./node-error.ts";
import styles from "./run-notes.module.css";

interface RunNotesProps {
  readonly run: ShownExecution;
  readonly onSelect: (nodeId: string) => void;
}

/** What must not be overlooked: why the run failed or was cancelled, and its warnings. */
export function RunNotes({ run, onSelect }: RunNotesProps) {
  const failed = run.nodes.find((node) => node.nodeId === run.error?.nodeId);
  const nodeError = readNodeError(failed?.error);
  const hint = nodeError?.hint;
  return (
    <>
      {run.error !== undefined && (
        <div role="alert" className={styles.note} data-tone="failed">
          <IconCircleX size={18} aria-hidden="true" className={styles.icon} />
          <div className={styles.words}>
            <strong className={styles.title}>{failed ? `${failed.nodeName} failed` : "The run failed"}</strong>
            <p>
              <FailureMessage message={run.error.message} expression={nodeError?.expression ?? null} />
            </p>
            {hint && <p className={styles.hint}>{hint}</p>}
          </div>
          {failed && <NodeLink label="Show the error" onClick={() => onSelect(failed.nodeId)} />}
        </div>
      )}
      {run.status === "cancelled" && run.reason && (
        <div className={styles.note} data-tone="cancelled">
          <IconBan size={18} aria-hidden="true" className={styles.icon} />
          <div className={styles.words}>
            <strong className={styles.title}>Cancelled</strong>
            <p>{run.reason}</p>
          </div>
        </div>
      )}
      {run.warnings.map((warning) => {
        const id = warning.nodeId;
        return (
          <div key={`${warning.timestamp}${id}${warning.message}`} className={styles.note} data-tone="timeout">
            <IconAlertTriangle size={18} aria-hidden="true" className={styles.icon} />
            <div className={styles.words}>
              <p>{warning.message}</p>
            </div>
            {id !== null && <NodeLink label="Show the node" onClick={() => onSelect(id)} />}
          </div>
        );
      })}
    </>
  );
}

function NodeLink({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className={styles.link} onClick={onClick}>
      {label}
    </button>
  );
}
