"use client";
import { useElementSize } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useContext, useState } from "react";
import { runsAddress } from "#components/executions/run-queries.ts";
import { TimeZoneContext } from "#components/time/relative-time.tsx";
import type { ShownOverview } from "#lib/contract/executions/figures.ts";
import chartBarTipStyles from "./chart-bar-tip.module.css";
import type { OverviewScope } from "./overview-queries.ts";
import styles from "./runs-chart.module.css";
import { bandsOf, barNames, barSpan, chartSeries, StackedBars, shownSeries } from "./stacked-bars.tsx";

/** Stacked bars; a click opens a bar's runs. The same data follows as a table for screen readers. */
export default function RunsChart({ figures, flow }: OverviewScope) {
  const router = useRouter();
  const { ref, width, height } = useElementSize();
  const [pointed, point] = useState<string | null>(null);
  const series = shownSeries(figures.series);
  const names = barNames(figures.bucket, useContext(TimeZoneContext));
  return (
    <>
      <div aria-hidden="true" className={styles.chart}>
        <ul className={styles.legend}>
          {series.map(({ name, label, color }) => (
            <li key={name} className={styles.kind}>
              <span className={styles.swatch} style={{ background: color }} />
              {label}
            </li>
          ))}
        </ul>
        <div ref={ref} className={styles.room}>
          {width > 0 && (
            <StackedBars
              points={figures.series}
              series={series}
              width={width}
              height={height}
              tickOf={names.tick}
              pointed={pointed}
              onPoint={point}
              onOpen={(at) => router.push(runsAddress({ flow, ...barSpan(figures, at) }))}
            />
          )}
          {pointed !== null && (
            <div className={styles.tip} style={besideBar(figures.series, pointed, width)}>
              <ChartBarTip figures={figures} at={pointed} nameOf={names.whole} />
            </div>
          )}
        </div>
      </div>
      <RunsTable points={figures.series} series={series} nameOf={names.whole} />
    </>
  );
}

/** A tooltip position that hides nothing of the bar: the side with more room. */
function besideBar(points: ShownOverview["series"], at: string, width: number) {
  const x = bandsOf(points, width);
  const from = x(at) ?? 0;
  return from > width / 2 ? { right: width - from + 8 } : { left: from + x.step() + 8 };
}

interface ChartBarTipProps {
  readonly figures: ShownOverview;
  readonly at: string;
  readonly nameOf: (at: string) => string;
}

/** The parts of a bar. */
export function ChartBarTip({ figures, at, nameOf }: ChartBarTipProps) {
  const point = figures.series.find((candidate) => candidate.at === at);
  if (point === undefined) return null;
  const parts = chartSeries.filter(({ name }) => point[name] > 0);
  return (
    <div className={chartBarTipStyles.tip}>
      <strong>{nameOf(at)}</strong>
      {parts.length === 0 && <span className={chartBarTipStyles.none}>No runs</span>}
      {parts.map(({ name, label, color }) => (
        <span key={name} className={chartBarTipStyles.part}>
          <span className={chartBarTipStyles.swatch} style={{ background: color }} />
          {label}
          <span className={chartBarTipStyles.count}>{point[name]}</span>
        </span>
      ))}
    </div>
  );
}

interface RunsTableProps {
  readonly points: ShownOverview["series"];
  readonly series: ReturnType<typeof shownSeries>;
  readonly nameOf: (at: string) => string;
}

/** The chart's data for screen readers. In a box, because a table is never narrower than its content. */
export function RunsTable({ points, series, nameOf }: RunsTableProps) {
  return (
    <div className="unseen">
      <table>
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
          {points.map((point) => (
            <tr key={point.at}>
              <th>{nameOf(point.at)}</th>
              {series.map(({ name }) => (
                <td key={name}>{point[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
