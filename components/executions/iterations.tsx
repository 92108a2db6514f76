import { Pagination, Skeleton, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { IterationNodes } from "./iteration-nodes.tsx";
import styles from "./iterations.module.css";
import { type IterationQuery, iterationsOnPage, runQueries } from "./run-queries.ts";

interface IterationsProps extends Pick<IterationQuery, "runId" | "nodeId" | "within"> {
  /** More of them may come. */
  readonly live: boolean;
}

/** What a loop did item by item; each turn opens to what its nodes were given and made. */
export function Iterations({ runId, nodeId, within, live }: IterationsProps) {
  const [page, setPage] = useState(1);
  const [failedOnly, setFailedOnly] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const wanted = { runId, nodeId, within, page, failedOnly };
  const list = useQuery(runQueries.iterations(useApi(), wanted, live));
  if (list.data === undefined) {
    if (!list.isError) return <Skeleton height={120} />;
    return <FailureNotice what="They could not be loaded" error={list.error} onRetry={() => void list.refetch()} />;
  }
  const { items, pagination } = list.data;
  const pages = Math.ceil(pagination.total / iterationsOnPage);
  return (
    <div className={styles.iterations}>
      <Switch
        size="xs"
        label="Failed only"
        checked={failedOnly}
        onChange={(event) => {
          setFailedOnly(event.currentTarget.checked);
          setPage(1);
        }}
      />
      {items.length === 0 && <p className={styles.nothing}>{failedOnly ? "None failed." : "None has begun."}</p>}
      <ol className={styles.list}>
        {items.map(({ iteration, status, duration, nodesExecuted }) => (
          <li key={iteration}>
            <button
              type="button"
              className={styles.turn}
              aria-expanded={opened === iteration}
              onClick={() => setOpened(opened === iteration ? null : iteration)}
            >
              <span className={styles.place}>Item {iteration}</span>
              <RunStatus status={status} />
              <span className={styles.facts}>
                {nodesExecuted} {nodesExecuted === 1 ? "node" : "nodes"}
                {duration !== null && ` · ${formatDuration(duration)}`}
              </span>
            </button>
            {opened === iteration && <IterationNodes runId={runId} nodeId={nodeId} iteration={iteration} live={live} />}
          </li>
        ))}
      </ol>
      {pages > 1 && <Pagination size="xs" total={pages} value={page} onChange={setPage} />}
    </div>
  );
}
