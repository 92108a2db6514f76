"use client";

import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import styles from "./overview.module.css";
import type { OverviewScope } from "./overview-scope.ts";

const RunsChart = lazy(() => import("./runs-chart.tsx"));

/** The runs of the span by status, hour by hour or day by day. What draws it is fetched when the rest is there. */
export function RunsOverTime(scope: OverviewScope) {
  const unit = scope.figures.bucket === "hour" ? "by the hour" : "by the day, UTC";
  return (
    <section className={styles.panel} aria-labelledby="runs-over-time">
      <h2 id="runs-over-time" className={styles.heading}>
        Runs <span className={styles.quiet}>{unit}</span>
      </h2>
      <div className={styles.chart}>
        <Suspense fallback={<Skeleton height={220} radius="md" />}>
          <RunsChart {...scope} />
        </Suspense>
      </div>
    </section>
  );
}
