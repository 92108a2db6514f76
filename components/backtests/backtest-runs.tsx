import { Pagination } from "@mantine/core";
import { IconArrowsDiff, IconCheck, IconCircleX, IconHelpCircle, IconTool } from "@tabler/icons-react";
import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState } from "#components/editor/state/editor-context.ts";
import { shortenId } from "#components/page/copy-button.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { callChanges, ShownBacktest, ShownBacktestRun, Verdict } from "#lib/contract/flows/backtests.ts";
import styles from "./backtests.module.css";

interface BacktestRunsProps {
  readonly found: Pick<ShownBacktest, "counts"> & {
    readonly runs: readonly ShownBacktestRun[];
    readonly pagination: { readonly page: number; readonly totalPages: number };
  };
  /** Lists only runs with this verdict; null for all. */
  readonly verdict: Verdict | null;
  readonly onFilter: (verdict: Verdict | null) => void;
  readonly shown: string | null;
  readonly onShow: (executionId: string) => void;
  readonly onPage: (page: number) => void;
}

/** Counts of runs by verdict, and the runs. */
export function BacktestRuns({ found, verdict, onFilter, shown, onShow, onPage }: BacktestRunsProps) {
  const { counts, runs, pagination } = found;
  return (
    <div className={styles.runs}>
      <fieldset className={styles.counts} aria-label="Outcomes">
        {verdictOrder.map((name) => {
          const { label, meaning, icon: Icon } = verdictWords[name];
          return (
            <button
              key={name}
              type="button"
              className={styles.count}
              data-verdict={name}
              aria-pressed={verdict === name}
              title={`${label}: ${meaning}`}
              disabled={counts[name] === 0}
              onClick={() => onFilter(verdict === name ? null : name)}
            >
              <Icon size={14} aria-hidden="true" />
              {label} <strong>{counts[name]}</strong>
            </button>
          );
        })}
      </fieldset>
      <ol className={styles.list} aria-label="Runs">
        {runs.map((run) => (
          <li key={run.executionId}>
            <RunRow run={run} isShown={run.executionId === shown} onShow={() => onShow(run.executionId)} />
          </li>
        ))}
      </ol>
      {pagination.totalPages > 1 && (
        <Pagination size="xs" total={pagination.totalPages} value={pagination.page} onChange={onPage} />
      )}
    </div>
  );
}

interface RunRowProps {
  readonly run: ShownBacktestRun;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

function RunRow({ run, isShown, onShow }: RunRowProps) {
  const { label, icon: Icon } = verdictWords[run.verdict];
  return (
    <button type="button" className={styles.run} aria-pressed={isShown} onClick={onShow} data-verdict={run.verdict}>
      <Icon size={16} aria-label={label} className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.id}>
          <span className="mono">{shortenId(run.executionId)}</span>
          {run.startedAt !== null && (
            <span className={styles.when}>
              <RelativeTime at={run.startedAt} />
            </span>
          )}
        </span>
        <span className={styles.first}>
          <FirstDifference run={run} />
        </span>
      </span>
    </button>
  );
}

/** The first difference, in one line. */
function FirstDifference({ run: { first, calls, reason, verdict } }: Pick<RunRowProps, "run">) {
  const nodes = useEditorState((state) => state.draft.nodes);
  if (reason !== null) return reason;
  if (first !== null) {
    const where = first.nodeId === null ? "The run" : nameOf(nodes, first.nodeId);
    return `${where} · ${first.path}`;
  }
  const call = calls.find(({ change }) => change !== "same");
  if (call !== undefined) return `${nameOf(nodes, call.nodeId)} ${callWords[call.change]}`;
  return verdictWords[verdict].meaning;
}

/** How the changed flow would affect a run, the most significant verdicts first. */
const verdictWords = {
  broken: { label: "Broken", meaning: "completed before, fails now", icon: IconCircleX },
  mended: { label: "Fixed", meaning: "failed before, completes now", icon: IconTool },
  changed: { label: "Different", meaning: "ends the same way, with another result", icon: IconArrowsDiff },
  unknown: { label: "Unknown", meaning: "a changed request has no recorded answer", icon: IconHelpCircle },
  same: { label: "Same", meaning: "ends with the same result", icon: IconCheck },
} as const satisfies Record<Verdict, unknown>;

const verdictOrder = Object.keys(verdictWords) as readonly Verdict[];

/** What happens to an outside effect of the flow. */
const callWords: Readonly<Record<(typeof callChanges)[number], string>> = {
  same: "sends the same",
  changed: "sends something different",
  new: "sends something it did not send before",
  gone: "no longer sends anything",
  unknown: "may or may not send something",
};
