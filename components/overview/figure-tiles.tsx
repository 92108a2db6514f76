import { runsAddress } from "#components/executions/runs-address.ts";
import { formatDuration } from "#components/time/duration.ts";
import { compareCounts, compareDurations, compareRates } from "./compare-figures.ts";
import { FigureTile } from "./figure-tile.tsx";
import styles from "./figure-tiles.module.css";
import type { OverviewScope } from "./overview-scope.ts";

const count = new Intl.NumberFormat("en");
const duration = (ms: number | null) => (ms === null ? "–" : formatDuration(ms));

export function FigureTiles({ figures, flow, period }: OverviewScope) {
  const { current, previous } = figures;
  const since = period.value;
  const slower = (min: number | null) => runsAddress({ flow, since, status: "completed", min, sort: "duration-desc" });
  const live = current.running + current.pending;
  return (
    <section className={styles.tiles} aria-label="Figures">
      <FigureTile
        label="Runs"
        value={count.format(current.total)}
        href={runsAddress({ flow, since })}
        change={compareCounts(current.total, previous.total)}
        rise="neutral"
      />
      <FigureTile
        label="Success rate"
        value={current.successRate === null ? "–" : `${current.successRate.toFixed(1)} %`}
        href={runsAddress({ flow, since, status: "completed" })}
        change={compareRates(current.successRate, previous.successRate)}
        rise="good"
      />
      <FigureTile
        label="Failed"
        value={count.format(current.failed + current.timeout)}
        href={runsAddress({ flow, since, status: "failed,timeout" })}
        change={compareCounts(current.failed + current.timeout, previous.failed + previous.timeout)}
        rise="bad"
      />
      <FigureTile
        label="Half take up to"
        value={duration(current.p50)}
        href={slower(current.p50)}
        change={compareDurations(current.p50, previous.p50)}
        rise="bad"
        note="p50 of completed runs"
      />
      <FigureTile
        label="95 % take up to"
        value={duration(current.p95)}
        href={slower(current.p95)}
        change={compareDurations(current.p95, previous.p95)}
        rise="bad"
        note="p95 of completed runs"
      />
      <FigureTile
        label="Going on"
        value={count.format(live)}
        href={runsAddress({ flow, since, status: "running,pending" })}
        change={null}
        rise="neutral"
        note={current.pending === 0 ? "none waits" : `${count.format(current.pending)} wait to start`}
      />
    </section>
  );
}
