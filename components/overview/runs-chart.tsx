"use client";

import { useElementSize } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useContext, useState } from "react";
import { runsAddress } from "#components/executions/runs-address.ts";
import { TimeZoneContext } from "#components/time/exact-time.ts";
import type { ShownOverview } from "#lib/contract/execution-overview.ts";
import { ChartBarTip } from "./chart-bar-tip.tsx";
import { barNames, barSpan, shownSeries } from "./chart-series.ts";
import type { OverviewScope } from "./overview-scope.ts";
import styles from "./runs-chart.module.css";
import { RunsTable } from "./runs-table.tsx";
import { bandsOf, StackedBars } from "./stacked-bars.tsx";

/** Stacked bars; a click leads to a bar's runs. Below them the same as a table, for those who cannot see bars. */
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

/** Where what is said of a bar hides none of it: at its side that has more room. */
function besideBar(points: ShownOverview["series"], at: string, width: number) {
  const x = bandsOf(points, width);
  const from = x(at) ?? 0;
  return from > width / 2 ? { right: width - from + 8 } : { left: from + x.step() + 8 };
}
