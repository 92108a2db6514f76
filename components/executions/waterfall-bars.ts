import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";
import { partsOfNode } from "./waterfall-parts.ts";

/** What a stretch of time went into: `queue` before the run began, `wait` for a time or a call, `pause` before a retry. */
export type PartKind = "queue" | "run" | "wait" | "pause";

export interface Part {
  readonly kind: PartKind;
  /** Of the whole span, from 0 to 1. */
  readonly left: number;
  readonly width: number;
  readonly durationMs: number;
  /** Which try of a node that was retried, from 1. */
  readonly attempt?: number;
}

export interface Bar {
  readonly node: ShownNodeExecution;
  readonly parts: readonly Part[];
  readonly durationMs: number;
}

export interface Bars {
  /** From the run's record to the beginning of its first node; null while nothing has begun. */
  readonly queue: Part | null;
  readonly bars: readonly Bar[];
  /** Nodes that have not begun, or never will. */
  readonly rest: readonly ShownNodeExecution[];
  readonly spanMs: number;
}

/** Where each node's bar lies between the run's beginning and its end, or now while it goes on; `waits`: types that wait. */
export function barsOf(run: ShownExecution, now: number | null, waits: ReadonlySet<string>): Bars {
  const begun = run.nodes.filter((node) => node.startedAt !== null && node.status !== "skipped");
  const timed = begun
    .map((node) => {
      const from = Date.parse(node.startedAt ?? run.startedAt);
      const end = node.completedAt === null ? (now ?? from + (node.duration ?? 0)) : Date.parse(node.completedAt);
      return { node, from, to: Math.max(from, end) };
    })
    .sort((one, other) => one.from - other.from);
  const start = Math.min(Date.parse(run.startedAt), ...timed.map(({ from }) => from));
  const runEnd = run.completedAt === null ? (now ?? start) : Date.parse(run.completedAt);
  const spanMs = Math.max(1, runEnd - start, ...timed.map(({ to }) => to - start));
  const placed = ({ from, to, ...part }: Stretch): Part => ({
    ...part,
    left: (from - start) / spanMs,
    width: (to - from) / spanMs,
    durationMs: to - from,
  });
  const bars = timed.map(({ node, from, to }) => {
    const parts = partsOfNode({ node, from, to, logs: run.logs ?? [], isWait: waits.has(node.type) });
    return { node, parts: parts.map(placed), durationMs: node.duration ?? to - from };
  });
  const [first] = timed;
  const queue = first === undefined ? null : placed({ kind: "queue", from: start, to: first.from });
  return { queue, bars, rest: run.nodes.filter((node) => !begun.includes(node)), spanMs };
}

/** The marks of the axis: at quarters of the span, and of a short one at fewer, so that no two say the same. */
export function axisOf(spanMs: number): readonly { readonly part: number; readonly label: string }[] {
  for (const steps of [4, 2]) {
    const marks = Array.from({ length: steps + 1 }, (_, index) => markAt(index / steps, spanMs));
    if (new Set(marks.map(({ label }) => label)).size === marks.length) return marks;
  }
  return [markAt(0, spanMs), markAt(1, spanMs)];
}

function markAt(part: number, spanMs: number): { part: number; label: string } {
  return { part, label: formatDuration(spanMs * part) };
}

/** A part by the clock, in milliseconds. */
export interface Stretch {
  readonly kind: PartKind;
  readonly from: number;
  readonly to: number;
  readonly attempt?: number;
}
