"use client";

import type { z } from "zod";
import { ErrorText } from "#components/executions/errors/error-text.tsx";
import styles from "#components/list/data-table.module.css";
import { type Column, DataTable } from "#components/list/data-table.tsx";
import { useRowSelection } from "#components/list/row-selection.tsx";
import { Link } from "#components/page/link.tsx";
import { isLive, RunStatus, retryWords } from "#components/status/run-status.tsx";
import { RelativeTime, RunningDuration } from "#components/time/relative-time.tsx";
import type { executionListItem } from "#lib/contract/executions/executions.ts";

/** Whether an error of this code may name a config field: others quote what the flow or another server says. */
const isOfConfig = (code: string) => code === "INVALID_CONFIG" || code === "EXPRESSION_FAILED";

export type RunListItem = z.output<typeof executionListItem>;

/** What started a run, in one word; for a retry, says so. */
export const sourceLabels: Readonly<Record<RunListItem["source"], string>> = {
  webhook: "Trigger URL",
  schedule: "Schedule",
  api: "API",
  ui: "Manual",
  retry: "Retry",
  "sub-flow": "Sub-flow",
  form: "Form",
  table: "Table",
  error: "Failed run",
  poll: "Poll",
  rss: "Feed",
  mail: "Mail",
};

/** The link to a run, and why it failed. */
function leadColumn(withFlow: boolean): Column<RunListItem> {
  return {
    head: withFlow ? "Flow" : "Started",
    kind: "lead",
    width: 160,
    cell: ({ id, flowId, flowName, startedAt, error }) => (
      <>
        <Link href={`/runs/${id}`} className={styles.rowLink}>
          {withFlow ? flowName : <RelativeTime at={startedAt} />}
        </Link>
        {error && (
          <p className={styles.below}>
            {isOfConfig(error.code) ? <ErrorText {...error} flowId={flowId} /> : error.message}
          </p>
        )}
      </>
    ),
  };
}

const startedColumn: Column<RunListItem> = {
  head: "Started",
  kind: "muted",
  width: 80,
  cell: ({ startedAt }) => <RelativeTime at={startedAt} />,
};

const numbers: readonly Column<RunListItem>[] = [
  {
    head: "Duration",
    kind: "number",
    width: 60,
    cell: ({ startedAt, duration, status }) => (
      <RunningDuration startedAt={startedAt} durationMs={duration} live={isLive(status)} />
    ),
  },
  count("Nodes", "nodesExecuted"),
  count("Errors", "errorCount", "failed"),
  count("Warnings", "warningCount", "timeout"),
];

/** The columns of a list of runs; `withFlow` is false on a flow's own page. */
export function runColumns(withFlow: boolean): readonly Column<RunListItem>[] {
  return [
    {
      head: "Status",
      width: 90,
      cell: ({ status, waitingFor, waitingUntil, retry }) => (
        <>
          <RunStatus status={status} waitingFor={waitingFor} waitingUntil={waitingUntil} />
          {retry && (
            <Link href={`/runs/${retry.executionId}`} className={styles.belowLink}>
              {retryWords(retry)}
            </Link>
          )}
        </>
      ),
    },
    leadColumn(withFlow),
    {
      head: "Trigger",
      kind: "muted",
      width: 84,
      cell: ({ source }) => <span className="unbroken">{sourceLabels[source]}</span>,
    },
    ...(withFlow ? [startedColumn] : []),
    ...numbers,
  ];
}

interface RunTableProps {
  readonly runs: readonly RunListItem[];
  /** The selected runs; without it, none can be selected. */
  readonly chosen?: ReadonlySet<string>;
  readonly onChoose?: (chosen: ReadonlySet<string>) => void;
  readonly withFlow?: boolean;
}

export function RunTable({ runs, chosen, onChoose, withFlow = true }: RunTableProps) {
  const selection = useRowSelection(runs, chosen, onChoose);
  const nameOf = ({ flowName }: RunListItem) => `the run of ${flowName}`;
  return (
    <DataTable
      columns={runColumns(withFlow)}
      rows={runs}
      keyOf={({ id }) => id}
      {...(selection && { selectable: { selection, nameOf } })}
    />
  );
}

function count(
  head: string,
  field: "nodesExecuted" | "errorCount" | "warningCount",
  tone?: "failed" | "timeout",
): Column<RunListItem> {
  return {
    head,
    kind: "number",
    label: head,
    width: 24,
    isIdle: (run) => run[field] === 0,
    cell: (run) => {
      const isQuiet = run[field] === 0 || tone === undefined;
      return <span style={{ color: isQuiet ? "var(--text-muted)" : `var(--status-${tone})` }}>{run[field]}</span>;
    },
  };
}
