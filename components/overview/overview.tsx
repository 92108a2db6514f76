"use client";
import { SegmentedControl, Skeleton } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { alertAddress, alertQueries } from "#components/alerts/alert-queries.ts";
import { useApi } from "#components/api/use-api.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { PartOutline } from "#components/page/part-outline.tsx";
import { keepLoading } from "#components/page/use-lazy-open.ts";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime, useNow } from "#components/time/relative-time.tsx";
import type { ShownAlert } from "#lib/contract/alerts.ts";
import type { ShownOverview } from "#lib/contract/executions/figures.ts";
import { FigureTiles } from "./figure-tiles.tsx";
import styles from "./health-line.module.css";
import { HealthLine } from "./health-line.tsx";
import overviewStyles from "./overview.module.css";
import { type OverviewScope, overviewPeriods, overviewQueries, periodOf } from "./overview-queries.ts";

/** How long an alert is shown as new. */
const newsMs = 24 * 3_600_000;

/** The last day's latest alert and the number of others; nothing if there were none. */
function LatestAlerts({ alerts }: { readonly alerts: readonly ShownAlert[] }) {
  const now = useNow(60_000);
  const recent = alerts.filter(({ at }) => now - Date.parse(at) < newsMs);
  const [latest, ...others] = recent;
  if (latest === undefined) return null;
  return (
    <p className={styles.line} data-tone="quiet">
      <IconBell size={20} stroke={1.7} aria-hidden="true" />
      <span>
        <bdi>{latest.ruleName}</bdi>:{" "}
        <Link href={alertAddress(latest)} className={styles.link}>
          {latest.message}
        </Link>
        , <RelativeTime at={latest.at} />
        {others.length > 0 && (
          <>
            {" · "}
            <Link href="/alerts" className={styles.link}>
              {others.length} more
            </Link>
          </>
        )}
      </span>
    </p>
  );
}

const RunsChart = lazy(() => keepLoading(() => import("./runs-chart.tsx")));
// Text and links, which work as the server rendered them: the page need not wait for their scripts.
const SinceLastVisit = lazy(() => keepLoading(() => import("./since-last-visit.tsx")));
const RunningNow = lazy(() => keepLoading(() => import("./running-now.tsx")));
const FlowsToLookAt = lazy(() => keepLoading(() => import("./flows-to-look-at.tsx")));
const ExampleButton = lazy(() =>
  keepLoading(async () => ({ default: (await import("#components/flows/list/example-button.tsx")).ExampleButton })),
);

/** The span's runs by status, by hour or by day. The chart is loaded after the rest. */
function RunsOverTime(scope: OverviewScope) {
  const unit = scope.figures.bucket === "hour" ? "per hour" : "per day, UTC";
  return (
    <section className={overviewStyles.panel} aria-labelledby="runs-over-time">
      <h2 id="runs-over-time" className={overviewStyles.heading}>
        Runs <span className={overviewStyles.quiet}>{unit}</span>
      </h2>
      <div className={overviewStyles.chart}>
        <Suspense fallback={<PartOutline height={220} />}>
          <RunsChart {...scope} />
        </Suspense>
      </div>
    </section>
  );
}

/**
 * Whether everything is healthy, what failed, where, and what is slow; each figure links to the runs that it counts.
 */
export function Overview() {
  const api = useApi();
  const { read, change } = useUrlState();
  const flow = read("flow");
  const period = periodOf(read("period"));
  const figures = useQuery(overviewQueries.figures(api, flow, period));
  const alerts = useQuery(alertQueries.alerts(api, undefined));
  // Both together, so that the second does not shift the page.
  const isReady = figures.data !== undefined && (!alerts.isPending || figures.isError);
  const scope = { flow, period };
  return (
    <div className={overviewStyles.page}>
      <PageHeader
        title="Overview"
        actions={
          <div className={overviewStyles.choices} data-fills-phones>
            <FlowSelect value={flow} onChange={(value) => change({ flow: value })} />
            <SegmentedControl
              size="xs"
              aria-label="Period"
              data={overviewPeriods.map(({ value, label }) => ({ value, label }))}
              value={period.value}
              onChange={(value) => change({ period: value })}
            />
          </div>
        }
      />
      {!isReady && !figures.isError && <OverviewSkeleton />}
      {figures.data === undefined && figures.isError && (
        <FailureNotice
          title="The overview could not be loaded"
          error={figures.error}
          onRetry={() => void figures.refetch()}
        />
      )}
      {isReady && (
        <FirstOverview figures={figures.data}>
          <div className={overviewStyles.body} data-stale={figures.isPlaceholderData || undefined}>
            <HealthLine figures={figures.data} {...scope} />
            <Suspense fallback={<PartOutline height={20} />}>
              <SinceLastVisit flow={flow} />
            </Suspense>
            <LatestAlerts alerts={alerts.data?.items ?? []} />
            <FigureTiles figures={figures.data} {...scope} />
            <div className={overviewStyles.wide}>
              <div className={overviewStyles.column}>
                <RunsOverTime figures={figures.data} {...scope} />
                <Suspense fallback={<PartOutline height={84} />}>
                  <RunningNow flow={flow} />
                </Suspense>
              </div>
              <div className={overviewStyles.pair}>
                <Suspense fallback={<PartOutline height={160} />}>
                  <FlowsToLookAt figures={figures.data} {...scope} />
                </Suspense>
              </div>
            </div>
          </div>
        </FirstOverview>
      )}
    </div>
  );
}

interface FirstOverviewProps {
  readonly figures: ShownOverview;
  readonly children: ReactNode;
}

/** The overview, or what to do if nothing has ever run. */
function FirstOverview({ figures, children }: FirstOverviewProps) {
  const isQuiet = figures.current.total === 0 && figures.previous.total === 0;
  const any = useQuery({ ...runQueries.list(useApi(), { limit: 1 }), enabled: isQuiet, refetchInterval: 3_000 });
  // Runs that could not be counted may well be there.
  if (!isQuiet || (any.data === undefined ? any.isError : any.data.pagination.total > 0)) return children;
  if (any.data === undefined) return <OverviewSkeleton />;
  return (
    <EmptyNotice
      title="Nothing has run yet."
      text="Once flows run, this page shows at a glance how they are doing: how many ran, what failed and where, and what is slow. Start with the example: it takes an order, checks it and answers."
    >
      <Suspense fallback={<PartOutline height={32} />}>
        <ExampleButton />
      </Suspense>
    </EmptyNotice>
  );
}

/** The overview's outline while it loads. */
function OverviewSkeleton() {
  return (
    <div className={overviewStyles.body} aria-busy="true">
      <Skeleton height={41} radius="md" />
      <Skeleton height={91} radius="md" />
      <Skeleton height={282} radius="md" />
      <div className={overviewStyles.pair}>
        <Skeleton height={220} radius="md" />
        <Skeleton height={220} radius="md" />
      </div>
    </div>
  );
}
