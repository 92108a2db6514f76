"use client";
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "#components/api/use-api.ts";
import { RunSkeleton } from "#components/executions/page/run-skeleton.tsx";
import view from "#components/executions/page/run-view.module.css";
import { runQueries } from "#components/executions/run-queries.ts";
import type { RunListItem } from "#components/executions/run-table.tsx";
import { shortenId } from "#components/page/copy-button.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { isLive, RunStatus, statusFace } from "#components/status/run-status.tsx";
import { RelativeTime, RunningDuration, useExactTime } from "#components/time/relative-time.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import styles from "./compare.module.css";
import { ComparedNodes } from "./compared-nodes.tsx";

/** Compares two runs of a flow: each node's status, inputs and outputs. */
export function RunComparison({ id }: { readonly id: string }) {
  const api = useApi();
  const { read, change } = useUrlState();
  const run = useQuery(runQueries.one(api, id));
  const others = useQuery({
    ...runQueries.list(api, { flow: run.data?.flowId ?? "", limit: 50 }),
    enabled: run.data !== undefined,
  });
  const choices = (others.data?.items ?? []).filter((other) => other.id !== id);
  const otherId = read("with") || (run.data && usualOther(run.data, choices));
  const other = useQuery({ ...runQueries.one(api, otherId ?? ""), enabled: otherId !== undefined });
  if (run.data === undefined) {
    if (!run.isError) return <RunSkeleton />;
    return (
      <FailureNotice
        title="The run could not be loaded"
        error={run.error}
        onRetry={() => void run.refetch()}
        list={{ label: "Go to the runs", path: "/runs" }}
      />
    );
  }
  return (
    <>
      <PageHeader
        parent={{ label: "Run", path: `/runs/${id}` }}
        title={
          <>
            Compare runs of <bdi>{run.data.flowName}</bdi>
          </>
        }
      />
      {others.data !== undefined && otherId === undefined && (
        <p className={view.remark}>The flow has no other run to compare this one with.</p>
      )}
      {otherId !== undefined && (
        <ComparedRuns
          run={run.data}
          other={other.data}
          choices={choices}
          otherId={otherId}
          onChoose={(chosen) => change({ with: chosen }, true)}
        />
      )}
      {other.isError && (
        <FailureNotice
          title="The other run could not be loaded"
          error={other.error}
          onRetry={() => void other.refetch()}
        />
      )}
      {other.data !== undefined && <ComparedNodes key={other.data.id} run={run.data} other={other.data} />}
    </>
  );
}

/** The default choice: the previous attempt, else the last successful run. */
function usualOther({ originalExecutionId }: ShownExecution, choices: readonly RunListItem[]): string | undefined {
  return originalExecutionId ?? (choices.find(({ status }) => status === "completed") ?? choices[0])?.id;
}

interface ComparedRunsProps {
  readonly run: ShownExecution;
  readonly other: ShownExecution | undefined;
  readonly choices: readonly RunListItem[];
  readonly otherId: string;
  readonly onChoose: (id: string) => void;
}

/** The two runs: their status, time and version. */
function ComparedRuns({ run, other, choices, otherId, onChoose }: ComparedRunsProps) {
  const exact = useExactTime();
  const data = choices.map(({ id: value, startedAt, ...run }) => ({
    value,
    label: `${exact.format(startedAt)}, ${statusFace(run).label.toLowerCase()}`,
  }));
  const isListed = data.some(({ value }) => value === otherId);
  return (
    <div className={styles.runs}>
      <Side title="This run" run={run} />
      <Side title="The other run" run={other}>
        <NativeSelect
          aria-label="The other run"
          data={isListed ? data : [{ value: otherId, label: shortenId(otherId) }, ...data]}
          value={otherId}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      </Side>
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly run: ShownExecution | undefined;
  readonly children?: ReactNode;
}

function Side({ title, run, children }: SideProps) {
  return (
    <section className={styles.run} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
      {run && (
        <div className={styles.facts}>
          <RunStatus {...run} filled />
          <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live={isLive(run.status)} />
          <span>
            Started <RelativeTime at={run.startedAt} />
          </span>
          <span>
            {run.draftRevision !== undefined ? "Unpublished changes to version" : "Version"} {run.flowVersion}
          </span>
          <Link href={`/runs/${run.id}`} className={styles.link}>
            <span className="mono">{shortenId(run.id)}</span>
          </Link>
        </div>
      )}
      {run?.error !== undefined && <p className={styles.error}>{run.error.message}</p>}
    </section>
  );
}
