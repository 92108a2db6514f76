import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { JsonTree } from "#components/json/json-tree.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import type { ShownLogEntry } from "#lib/contract/executions/logs.ts";
import { ErrorText } from "./errors/error-text.tsx";
import styles from "./log-list.module.css";

const levels = {
  info: { label: "Info", icon: IconInfoCircle },
  warning: { label: "Warning", icon: IconAlertTriangle },
  error: { label: "Error", icon: IconCircleX },
} as const;
const shownAtOnce = 200;

interface LogListProps {
  readonly entries: readonly ShownLogEntry[];
  readonly run: Pick<ShownExecution, "startedAt" | "nodes" | "error">;
  readonly nameOf: (nodeId: string) => string;
}

/** Log entries in order, each with the time since the run started. */
export function LogList({ entries, run, nameOf }: LogListProps) {
  const [limit, setLimit] = useState(shownAtOnce);
  const exact = useExactTime();
  const start = Date.parse(run.startedAt);
  const typeOf = (nodeId: string | undefined | null) => run.nodes.find((node) => node.nodeId === nodeId)?.type;
  if (entries.length === 0) return <p className={styles.nothing}>No logs.</p>;
  return (
    <>
      <ol className={styles.list}>
        {entries.slice(0, limit).map((entry, index) => {
          const { label, icon: Icon } = levels[entry.level];
          return (
            <li key={entry.id} className={styles.entry} data-level={entry.level}>
              <time dateTime={entry.timestamp} title={exact.explain(entry.timestamp)} className={styles.time}>
                +{((Date.parse(entry.timestamp) - start) / 1_000).toFixed(3)}
              </time>
              <Icon size={14} aria-label={label} className={styles.icon} />
              <div className={styles.words}>
                <span className={styles.message}>
                  {entry.level === "error" || entry.nodeId === null ? (
                    <ErrorText message={entry.message} type={typeOf(entry.nodeId ?? run.error?.nodeId)} />
                  ) : (
                    entry.message
                  )}
                </span>
                {entry.nodeId !== null && <span className={styles.node}>{nameOf(entry.nodeId)}</span>}
                {entry.data !== undefined && entry.data !== null && (
                  <JsonTree value={entry.data} path="data" label={`Data of entry ${index + 1}`} />
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {entries.length > limit && (
        <button type="button" className={styles.more} onClick={() => setLimit(limit + shownAtOnce)}>
          Show more of {entries.length}
        </button>
      )}
    </>
  );
}
