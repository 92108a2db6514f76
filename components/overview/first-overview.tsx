"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "#components/api/use-api.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { LinkButton } from "#components/page/link-button.tsx";
import type { ShownOverview } from "#lib/contract/execution-overview.ts";
import { OverviewSkeleton } from "./overview-skeleton.tsx";

interface FirstOverviewProps {
  readonly figures: ShownOverview;
  readonly children: ReactNode;
}

/** The overview, or what to do when nothing has ever run. */
export function FirstOverview({ figures, children }: FirstOverviewProps) {
  const isQuiet = figures.current.total === 0 && figures.previous.total === 0;
  const any = useQuery({ ...runQueries.list(useApi(), { limit: 1 }), enabled: isQuiet, refetchInterval: 3_000 });
  if (!isQuiet || (any.data?.pagination.total ?? 0) > 0) return children;
  if (any.data === undefined && !any.isError) return <OverviewSkeleton />;
  return (
    <EmptyNotice
      title="Nothing has run yet."
      text="Once flows run, this page tells within a glance whether they are well: how many ran, what failed and where, and what is slow. Begin with the example flow, and run it."
    >
      <LinkButton href="/flows">Go to the flows</LinkButton>
    </EmptyNotice>
  );
}
