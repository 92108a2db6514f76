import { metrics } from "#lib/platform/metrics.ts";

/** Counts recorded runs in this process's metrics. */
export function countStarted(runs: Iterable<{ readonly source: string }>): void {
  const counts = new Map<string, number>();
  for (const { source } of runs) counts.set(source, (counts.get(source) ?? 0) + 1);
  for (const [source, count] of counts) metrics().runsStarted.inc({ source }, count);
}

/** Counts a run's end; `durationMs` is from its start. */
export function countFinished(status: string, durationMs: number): void {
  metrics().runsFinished.inc({ status });
  metrics().runDuration.observe({ status }, durationMs / 1_000);
}
