"use client";

import { runStatuses } from "#components/status/run-statuses.ts";
import { formatDuration } from "#components/time/duration.ts";
import { useNow } from "#components/time/use-now.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";
import styles from "./waterfall.module.css";
import { barsOf } from "./waterfall-bars.ts";

interface WaterfallProps {
  readonly run: ShownExecution;
  readonly live: boolean;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
}

/** The nodes of a run by time: when each began and how long it took. */
export function Waterfall({ run, live, selectedId, onSelect }: WaterfallProps) {
  const now = useNow(live ? 250 : 60_000);
  const { bars, rest, spanMs } = barsOf(run, live ? now : null);
  return (
    <div className={styles.waterfall}>
      <div className={styles.axis} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part} style={{ left: `${part * 100}%` }}>
            {formatDuration(spanMs * part)}
          </span>
        ))}
      </div>
      <ol className={styles.rows}>
        {bars.map(({ node, left, width, durationMs }) => (
          <Row key={node.nodeId} node={node} selected={selectedId === node.nodeId} onSelect={onSelect}>
            <span className={styles.track}>
              <span className={styles.bar} style={{ left: `${left * 100}%`, width: `${width * 100}%` }} />
            </span>
            <span className={styles.duration}>{formatDuration(durationMs)}</span>
          </Row>
        ))}
        {rest.map((node) => (
          <Row key={node.nodeId} node={node} selected={selectedId === node.nodeId} onSelect={onSelect}>
            <span className={styles.track} />
            <span className={styles.duration}>{runStatuses[node.status].label}</span>
          </Row>
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  readonly node: ShownNodeExecution;
  readonly selected: boolean;
  readonly onSelect: (id: string) => void;
  readonly children: React.ReactNode;
}

function Row({ node, selected, onSelect, children }: RowProps) {
  const { label, icon: Icon } = runStatuses[node.status];
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        data-status={node.status}
        aria-pressed={selected}
        onClick={() => onSelect(node.nodeId)}
      >
        <Icon size={16} stroke={2} aria-label={label} className={styles.icon} />
        <span className={styles.name}>{node.nodeName}</span>
        {children}
      </button>
    </li>
  );
}
