import { metrics } from "#lib/platform/metrics.ts";

/** Counts runs whose record was written, in this process's metrics. */
export function countStarted(runs: Iterable<{ readonly source: string }>): void {
  for (const { source } of runs) metrics().runsStarted.inc({ source });
}

/** Counts a run's end; `durationMs` is from its start. */
export function countFinished(status: string, durationMs: number): void {
  metrics().runsFinished.inc({ status });
  metrics().runDuration.observe({ status }, durationMs / 1_000);
}
