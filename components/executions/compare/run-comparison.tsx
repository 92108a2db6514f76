"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { runQueries } from "../run-queries.ts";
import { RunSkeleton } from "../run-skeleton.tsx";
import type { RunListItem } from "../run-table.tsx";
import view from "../run-view.module.css";
import { ComparedNodes } from "./compared-nodes.tsx";
import { ComparedRuns } from "./compared-runs.tsx";

/** A run beside another of its flow: node by node, what became of each, what it was given and what it made. */
export function RunComparison({ id }: { readonly id: string }) {
  const api = useApi();
  const { read, change } = useUrlState();
  const run = useQuery(runQueries.one(api, id));
  const others = useQuery({
    ...runQueries.list(api, { flow: run.data?.flowId ?? "", limit: 50 }),
    enabled: run.data !== undefined,
  });
  const choices = (others.data?.items ?? []).filter((other) => other.id !== id);
  const otherId = read("with") ?? (run.data && usualOther(run.data, choices));
  const other = useQuery({ ...runQueries.one(api, otherId ?? ""), enabled: otherId !== undefined });
  if (run.data === undefined) {
    if (!run.isError) return <RunSkeleton />;
    return (
      <FailureNotice
        what="The run could not be loaded"
        error={run.error}
        onRetry={() => void run.refetch()}
        list={{ label: "Go to the runs", path: "/runs" }}
      />
    );
  }
  return (
    <>
      <PageHeader parent={{ label: "The run", path: `/runs/${id}` }} title={`Compare runs of ${run.data.flowName}`} />
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
          what="The other run could not be loaded"
          error={other.error}
          onRetry={() => void other.refetch()}
        />
      )}
      {other.data !== undefined && <ComparedNodes key={other.data.id} run={run.data} other={other.data} />}
    </>
  );
}

/** What one most likely asks about: the try before, else the last run that went well. */
function usualOther({ originalExecutionId }: ShownExecution, choices: readonly RunListItem[]): string | undefined {
  return originalExecutionId ?? (choices.find(({ status }) => status === "completed") ?? choices[0])?.id;
}
