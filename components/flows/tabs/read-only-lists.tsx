"use client";
import { Skeleton } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { testsKey } from "#components/tests/tests-query.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import styles from "./tab-page.module.css";

const shownMax = 50;

/** A flow's versions for read-only users: what changed, when, and by whom. */
export function VersionList({ flowId, isLive }: { readonly flowId: string; readonly isLive: boolean }) {
  const api = useApi();
  const versions = useQuery({
    queryKey: ["flows", "versions", flowId, "read"],
    queryFn: ({ signal }) =>
      api.callList("listFlowVersions", { params: { id: flowId }, query: { limit: shownMax }, signal }),
  });
  return (
    <ReadList title="Versions" found={versions} empty="This flow has no versions yet.">
      {versions.data?.items.map(({ version, name, summary, createdAt, createdByName, isCurrent, liveAt }) => (
        <li key={version} className={styles.item}>
          <span className={styles.name}>{name ?? `Version ${version}`}</span>
          {isCurrent && <span>{isLive ? "Live" : "Current"}</span>}
          {!isCurrent && liveAt != null && <span>Was live</span>}
          <span className={styles.facts}>
            <RelativeTime at={createdAt} />
            {createdByName != null && ` · ${createdByName}`}
            {summary != null && ` · ${summary}`}
          </span>
        </li>
      ))}
    </ReadList>
  );
}

/** A flow's tests for read-only users, with their latest results. */
export function TestList({ flowId }: { readonly flowId: string }) {
  const api = useApi();
  const tests = useQuery({
    queryKey: [...testsKey(flowId), "read"],
    queryFn: ({ signal }) =>
      api.callList("listFlowTests", { params: { id: flowId }, query: { limit: shownMax }, signal }),
  });
  return (
    <ReadList title="Tests" found={tests} empty="This flow has no tests yet. Create one from a run, in the editor.">
      {tests.data?.items.map(({ id, name, lastResult }) => (
        <li key={id} className={styles.item}>
          <span className={styles.name}>{name}</span>
          <span>{lastResult == null ? "Not run yet" : lastResult.status === "passed" ? "Passed" : "Failed"}</span>
          {lastResult != null && (
            <span className={styles.facts}>
              Version {lastResult.version} · <RelativeTime at={lastResult.at} />
            </span>
          )}
        </li>
      ))}
    </ReadList>
  );
}

interface ReadListProps {
  readonly title: string;
  readonly found: UseQueryResult<{ readonly items: readonly unknown[] }>;
  readonly empty: string;
  readonly children: ReactNode;
}

function ReadList({ title, found, empty, children }: ReadListProps) {
  return (
    <section className={styles.page} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {found.isPending && <Skeleton height={160} />}
      {found.isError && found.data === undefined && (
        <FailureNotice
          title={`The ${title.toLowerCase()} could not be loaded`}
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      )}
      {found.data?.items.length === 0 && <p className={styles.muted}>{empty}</p>}
      {found.data !== undefined && found.data.items.length > 0 && <ul className={styles.list}>{children}</ul>}
    </section>
  );
}
