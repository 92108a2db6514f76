import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import { runsAddress } from "#components/executions/run-queries.ts";
import { Link } from "#components/page/link.tsx";
import { formatDuration } from "#components/time/duration.ts";
import styles from "./figure-tiles.module.css";
import type { OverviewScope } from "./overview-queries.ts";

interface Comparison {
  /** "12% more". */
  readonly text: string;
  readonly direction: "up" | "down" | "same";
}

const same: Comparison = { text: "Unchanged", direction: "same" };
const percent = (ratio: number) => `${Math.round(ratio * 100)}%`;

/** A count compared with the previous one. */
export function compareCounts(now: number, before: number): Comparison | null {
  if (before === 0) return now === 0 ? null : { text: "No earlier data", direction: "same" };
  if (now === before) return same;
  const isMore = now > before;
  const ratio = Math.abs(now - before) / before;
  const text =
    ratio >= 2 ? `${Math.round(now / before)} times as many` : `${percent(ratio)} ${isMore ? "more" : "fewer"}`;
  return { text, direction: isMore ? "up" : "down" };
}

/** A rate in percent compared with the previous one, in points. */
export function compareRates(now: number | null, before: number | null): Comparison | null {
  if (now === null) return null;
  if (before === null) return { text: "No earlier data", direction: "same" };
  const points = Math.round((now - before) * 10) / 10;
  if (points === 0) return same;
  const direction = points > 0 ? "up" : "down";
  const size = Math.abs(points);
  return { text: `${size} ${size === 1 ? "point" : "points"} ${direction}`, direction };
}

/** A duration compared with the previous one. */
export function compareDurations(now: number | null, before: number | null): Comparison | null {
  if (now === null || before === null) return null;
  // Percentiles are accurate to a tenth: anything closer is the same.
  if (Math.abs(now - before) <= Math.max(2, before * 0.1)) return same;
  const by = formatDuration(Math.abs(now - before));
  return now > before ? { text: `${by} slower`, direction: "up" } : { text: `${by} faster`, direction: "down" };
}

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
        value={current.successRate === null ? "–" : `${current.successRate.toFixed(1)}%`}
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
        label="Median duration"
        value={duration(current.p50)}
        href={slower(current.p50)}
        change={compareDurations(current.p50, previous.p50)}
        rise="bad"
        note="p50 of completed runs"
      />
      <FigureTile
        label="95th percentile"
        value={duration(current.p95)}
        href={slower(current.p95)}
        change={compareDurations(current.p95, previous.p95)}
        rise="bad"
        note="p95 of completed runs"
      />
      <FigureTile
        label="Running now"
        value={count.format(live)}
        href={runsAddress({ flow, since, status: "running,pending" })}
        change={null}
        rise="neutral"
        note={current.pending === 0 ? "None queued" : `${count.format(current.pending)} queued`}
      />
    </section>
  );
}

interface FigureTileProps {
  readonly label: string;
  readonly value: string;
  readonly href: string;
  /** Compared with the previous span; null if there is nothing to compare. */
  readonly change: Comparison | null;
  /** The meaning of a rise. */
  readonly rise: "good" | "bad" | "neutral";
  /** In place of the comparison. */
  readonly note?: string;
}

/** A figure, its change, and a link to the runs that it counts. */
function FigureTile({ label, value, href, change, rise, note }: FigureTileProps) {
  return (
    <Link href={href} className={styles.tile}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
      <span className={styles.change} data-tone={change === null ? undefined : toneOf(change, rise)}>
        {change?.direction === "up" && <IconArrowUpRight size={14} aria-hidden="true" />}
        {change?.direction === "down" && <IconArrowDownRight size={14} aria-hidden="true" />}
        {change?.text ?? note ?? "\u00a0"}
      </span>
    </Link>
  );
}

function toneOf({ direction }: Comparison, rise: FigureTileProps["rise"]): "good" | "bad" | undefined {
  if (direction === "same" || rise === "neutral") return undefined;
  return (direction === "up") === (rise === "good") ? "good" : "bad";
}
