"use client";

import Link from "next/link";
import type { z } from "zod";
import styles from "#components/page/data-table.module.css";
import { type Tick, TickAll, TickOne, useTick } from "#components/page/tick.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { isLive } from "#components/status/run-statuses.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { RunningDuration } from "#components/time/running-duration.tsx";
import type { executionListItem } from "#lib/contract/executions.ts";

export type RunListItem = z.output<typeof executionListItem>;

export const runColumns = ["Status", "Flow", "Trigger", "Started", "Duration", "Nodes", "Errors", "Warnings"] as const;
const numbers: readonly string[] = ["Duration", "Nodes", "Errors", "Warnings"];

interface RunTableProps {
  readonly runs: readonly RunListItem[];
  /** The runs that are ticked; without it, none can be. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (chosen: ReadonlySet<string>) => void;
  /** False on a flow's own page, where every run is of that flow. */
  readonly withFlow?: boolean;
}

export function RunTable({ runs, chosen, onChoose, withFlow = true }: RunTableProps) {
  const tick = useTick(runs, chosen, onChoose);
  const columns = withFlow ? runColumns : runColumns.filter((column) => column !== "Flow");
  return (
    <div className={styles.panel}>
      <table className={styles.table}>
        <thead>
          <tr>
            {tick && (
              <th className={styles.tick}>
                <TickAll tick={tick} />
              </th>
            )}
            {columns.map((column) => (
              <th key={column} scope="col" className={numbers.includes(column) ? styles.number : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} withFlow={withFlow} tick={tick} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RunRowProps {
  readonly run: RunListItem;
  readonly withFlow: boolean;
  readonly tick: Tick | null;
}

function RunRow({ run, withFlow, tick }: RunRowProps) {
  const started = <RelativeTime at={run.startedAt} />;
  return (
    <tr>
      {tick && (
        <td className={styles.tick}>
          <TickOne tick={tick} id={run.id} label={`Choose the run of ${run.flowName}`} />
        </td>
      )}
      <td>
        <RunStatus status={run.status} />
      </td>
      {withFlow && (
        <td data-lead>
          <Link href={`/runs/${run.id}`} className={styles.rowLink}>
            {run.flowName}
          </Link>
        </td>
      )}
      <td className={styles.muted}>{triggerWord(run.trigger.type)}</td>
      <td className={styles.muted}>
        {withFlow ? (
          started
        ) : (
          <Link href={`/runs/${run.id}`} className={styles.rowLink}>
            {started}
          </Link>
        )}
      </td>
      <td className={styles.number}>
        <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live={isLive(run.status)} />
      </td>
      <Count label="Nodes" value={run.nodesExecuted} />
      <Count label="Errors" value={run.errorCount} tone="failed" />
      <Count label="Warnings" value={run.warningCount} tone="timeout" />
    </tr>
  );
}

function Count({ label, value, tone }: { readonly label: string; readonly value: number; readonly tone?: string }) {
  const quiet = value === 0 || tone === undefined;
  return (
    <td
      className={styles.number}
      data-label={label}
      data-zero={value === 0 || undefined}
      style={{ color: quiet ? "var(--text-muted)" : `var(--status-${tone})` }}
    >
      {value}
    </td>
  );
}

function triggerWord(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1);
}
