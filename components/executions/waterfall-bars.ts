import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";

export interface Bar {
  readonly node: ShownNodeExecution;
  /** Shares of the whole span, from 0 to 1. */
  readonly left: number;
  readonly width: number;
  readonly durationMs: number;
}

export interface Bars {
  readonly bars: readonly Bar[];
  /** Nodes that have not begun, or never will. */
  readonly rest: readonly ShownNodeExecution[];
  readonly spanMs: number;
}

/** Where each node's bar lies between the run's beginning and its end, or now while it goes on. */
export function barsOf(run: ShownExecution, now: number | null): Bars {
  const started = run.nodes.filter((node) => node.startedAt !== null && node.status !== "skipped");
  const timed = started
    .map((node) => {
      const from = Date.parse(node.startedAt ?? run.startedAt);
      const end = node.completedAt === null ? (now ?? from + (node.duration ?? 0)) : Date.parse(node.completedAt);
      return { node, from, to: Math.max(from, end) };
    })
    .sort((a, b) => a.from - b.from);
  const start = Math.min(Date.parse(run.startedAt), ...timed.map(({ from }) => from));
  const runEnd = run.completedAt === null ? (now ?? start) : Date.parse(run.completedAt);
  const spanMs = Math.max(1, runEnd - start, ...timed.map(({ to }) => to - start));
  const bars = timed.map(({ node, from, to }) => ({
    node,
    left: (from - start) / spanMs,
    width: (to - from) / spanMs,
    durationMs: node.duration ?? to - from,
  }));
  return { bars, rest: run.nodes.filter((node) => !started.includes(node)), spanMs };
}
