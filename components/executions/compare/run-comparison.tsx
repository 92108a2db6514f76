"use client";

import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { runStatuses } from "#components/status/run-statuses.ts";
import { formatExact } from "#components/time/relative-time.tsx";
import { runQueries } from "../run-queries.ts";
import { RunSkeleton } from "../run-skeleton.tsx";
import { ComparedNodes } from "./compared-nodes.tsx";

/** A run beside another of its flow: node by node, what became of each and what it made. */
export function RunComparison({ id }: { readonly id: string }) {
  const api = useApi();
  const { read, change } = useUrlState();
  const run = useQuery(runQueries.one(api, id));
  const others = useQuery({
    ...runQueries.list(api, { flow: run.data?.flowId ?? "", limit: 50 }),
    enabled: run.data !== undefined,
  });
  const choices = (others.data?.items ?? []).filter((other) => other.id !== id);
  const otherId = read("with") ?? choices[0]?.id;
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
      <PageHeader
        parent={{ label: "The run", path: `/runs/${id}` }}
        title={`Compare a run of ${run.data.flowName}`}
        actions={
          <NativeSelect
            aria-label="The other run"
            data={choices.map(({ id: value, status, startedAt }) => ({
              value,
              label: `${formatExact(startedAt)}, ${runStatuses[status].label.toLowerCase()}`,
            }))}
            value={otherId ?? ""}
            onChange={(event) => change({ with: event.currentTarget.value }, true)}
          />
        }
      />
      {others.data !== undefined && choices.length === 0 && <p>The flow has no other run to compare this one with.</p>}
      {other.isError && (
        <FailureNotice
          what="The other run could not be loaded"
          error={other.error}
          onRetry={() => void other.refetch()}
        />
      )}
      {other.data !== undefined && <ComparedNodes run={run.data} other={other.data} />}
    </>
  );
}
