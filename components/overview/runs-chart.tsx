"use client";

import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { useReducedMotion } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useContext } from "react";
import { runsAddress } from "#components/executions/runs-address.ts";
import { TimeZoneContext } from "#components/time/exact-time.ts";
import { ChartBarTip } from "./chart-bar-tip.tsx";
import { barNames, barSpan, shownSeries } from "./chart-series.ts";
import styles from "./overview.module.css";
import type { OverviewScope } from "./overview-scope.ts";

/** Stacked bars; a click leads to a bar's runs. Below them the same as a table, for those who cannot see bars. */
export default function RunsChart({ figures, flow }: OverviewScope) {
  const router = useRouter();
  const isStill = useReducedMotion();
  const series = shownSeries(figures.series);
  const names = barNames(figures.bucket, useContext(TimeZoneContext));
  const open = (at: unknown) => {
    if (typeof at === "string") router.push(runsAddress({ flow, ...barSpan(figures, at) }));
  };
  return (
    <>
      <div aria-hidden="true">
        <BarChart
          h={220}
          data={[...figures.series]}
          dataKey="at"
          type="stacked"
          series={series.map((one) => ({ ...one }))}
          withLegend
          legendProps={{ verticalAlign: "top", align: "right", itemSorter: null }}
          tickLine="none"
          maxBarWidth={36}
          xAxisProps={{ tickFormatter: names.tick, minTickGap: 24 }}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          barProps={{ isAnimationActive: !isStill, animationDuration: 160, cursor: "pointer" }}
          barChartProps={{ accessibilityLayer: false, onClick: ({ activeLabel }) => open(activeLabel) }}
          tooltipProps={{
            content: ({ label }) => <ChartBarTip figures={figures} at={String(label ?? "")} nameOf={names.whole} />,
          }}
        />
      </div>
      <table className={styles.unseen}>
        <caption>Runs by status</caption>
        <thead>
          <tr>
            <th>Time</th>
            {series.map(({ name, label }) => (
              <th key={name}>{label}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.series.map((point) => (
            <tr key={point.at}>
              <th>{names.whole(point.at)}</th>
              {series.map(({ name }) => (
                <td key={name}>{point[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
