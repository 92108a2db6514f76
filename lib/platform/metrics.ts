import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { singleton } from "./singleton.ts";

/** This process's counters. Names end in their unit; every label has few values. */
export interface Metrics {
  readonly registry: Registry;
  readonly runsStarted: Counter<"source">;
  readonly runsFinished: Counter<"status">;
  readonly runDuration: Histogram<"status">;
  readonly leasesTakenOver: Counter;
  readonly deliveryAttempts: Counter<"result">;
  readonly requestDuration: Histogram<"method" | "route" | "status">;
  readonly removed: Counter<"kind">;
}

const runSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 86_400];
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

/** One instance per process, shared by modules that are bundled twice. */
export function metrics(): Metrics {
  return singleton("metrics", () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const registers = [registry];
    return {
      registry,
      runsStarted: new Counter({
        name: "millrace_runs_started_total",
        help: "Runs whose record this process wrote, by what started them",
        labelNames: ["source"],
        registers,
      }),
      runsFinished: new Counter({
        name: "millrace_runs_finished_total",
        help: "Runs that this process ended, by final status",
        labelNames: ["status"],
        registers,
      }),
      runDuration: new Histogram({
        name: "millrace_run_duration_seconds",
        help: "From a run's start to its end, waiting included",
        labelNames: ["status"],
        buckets: runSeconds,
        registers,
      }),
      leasesTakenOver: new Counter({
        name: "millrace_leases_taken_over_total",
        help: "Runs that this process took over because another did not renew its lease, or handed it back",
        registers,
      }),
      deliveryAttempts: new Counter({
        name: "millrace_delivery_attempts_total",
        help: "Attempts to deliver an event to a subscriber: delivered, to be tried again (retried), or given up (failed)",
        labelNames: ["result"],
        registers,
      }),
      requestDuration: new Histogram({
        name: "millrace_http_request_duration_seconds",
        help: "Requests to the API and to trigger URLs, by the route's pattern",
        labelNames: ["method", "route", "status"],
        buckets: requestSeconds,
        registers,
      }),
      removed: new Counter({
        name: "millrace_removed_total",
        help: "Records that were kept no longer: executions, deliveries, idempotencyKeys, quotaWindows, orphans",
        labelNames: ["kind"],
        registers,
      }),
    };
  });
}

/** Sets a gauge that is computed on read. */
export function setGauge(name: string, help: string, value: number): void {
  const { registry } = metrics();
  const gauge = singleton(`gauge-${name}`, () => new Gauge({ name, help, registers: [registry] }));
  gauge.set(value);
}

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
