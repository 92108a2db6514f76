"use client";

import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { alertQueries } from "#components/alerts/alert-queries.ts";
import { useApi } from "#components/api/use-api.ts";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { CommonErrors } from "./common-errors.tsx";
import { FigureTiles } from "./figure-tiles.tsx";
import { FirstOverview } from "./first-overview.tsx";
import { HealthLine } from "./health-line.tsx";
import { LatestAlerts } from "./latest-alerts.tsx";
import styles from "./overview.module.css";

import { overviewPeriods, periodOf } from "./overview-periods.ts";
import { overviewQueries } from "./overview-queries.ts";
import { OverviewSkeleton } from "./overview-skeleton.tsx";
import { RunningNow } from "./running-now.tsx";
import { RunsOverTime } from "./runs-over-time.tsx";
import { SlowestFlows } from "./slowest-flows.tsx";

/** Whether things are well, what failed, where, and what is slow: each figure leads to the runs that it counts. */
export function Overview() {
  const api = useApi();
  const { read, change } = useUrlState();
  const flow = read("flow");
  const period = periodOf(read("period"));
  const figures = useQuery(overviewQueries.figures(api, flow, period));
  const alerts = useQuery(alertQueries.alerts(api, undefined));
  // Both together, so that what comes second moves nothing.
  const isReady = figures.data !== undefined && !alerts.isPending;
  const scope = { flow, period };
  return (
    <div className={styles.page}>
      <PageHeader
        title="Overview"
        actions={
          <div className={styles.choices}>
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
          what="The overview could not be loaded"
          error={figures.error}
          onRetry={() => void figures.refetch()}
        />
      )}
      {isReady && (
        <FirstOverview figures={figures.data}>
          <div className={styles.body} data-stale={figures.isPlaceholderData || undefined}>
            <HealthLine figures={figures.data} {...scope} />
            <LatestAlerts alerts={alerts.data?.items ?? []} />
            <FigureTiles figures={figures.data} {...scope} />
            <div className={styles.wide}>
              <div className={styles.column}>
                <RunsOverTime figures={figures.data} {...scope} />
                <RunningNow flow={flow} />
              </div>
              <div className={styles.pair}>
                <CommonErrors figures={figures.data} {...scope} />
                <SlowestFlows figures={figures.data} {...scope} />
              </div>
            </div>
          </div>
        </FirstOverview>
      )}
    </div>
  );
}
