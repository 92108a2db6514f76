import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { ShownLogEntry } from "#lib/contract/executions/logs.ts";
import { isJsonObject } from "#lib/engine/json.ts";

/** How time was spent: `queue` before the run started, `wait` for a time or a call, `pause` before a retry. */
export type PartKind = "queue" | "run" | "wait" | "pause";

export interface Part {
  readonly kind: PartKind;
  /** As a fraction of the whole span. */
  readonly left: number;
  readonly width: number;
  readonly durationMs: number;
  /** The attempt's number for a retried node, from 1. */
  readonly attempt?: number;
}

interface Bar {
  readonly node: ShownNodeExecution;
  readonly parts: readonly Part[];
  readonly durationMs: number;
}

interface Bars {
  /** From the run's creation to its first node's start; null before that. */
  readonly queue: Part | null;
  readonly bars: readonly Bar[];
  /** Nodes that have not started, or never will. */
  readonly rest: readonly ShownNodeExecution[];
  /** Start of the bars, in Unix milliseconds. */
  readonly startMs: number;
  readonly spanMs: number;
}

/**
 * The nodes' bars between the run's start and its end, or now while it is in progress; `waits`: node types that wait.
 */
export function barsOf(run: ShownExecution, now: number | null, waits: ReadonlySet<string>): Bars {
  const begun = run.nodes.filter((node) => node.startedAt !== null && node.status !== "skipped");
  const timed = begun
    .map((node) => {
      const from = Date.parse(node.startedAt ?? run.startedAt);
      const end = node.completedAt === null ? (now ?? from + (node.duration ?? 0)) : Date.parse(node.completedAt);
      return { node, from, to: Math.max(from, end) };
    })
    .sort((a, b) => a.from - b.from);
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
  return { queue, bars, rest: run.nodes.filter((node) => !begun.includes(node)), startMs: start, spanMs };
}

/** The axis labels: at quarters of the span, or fewer for a short one, so that no two are the same. */
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

/** A part of a bar, in Unix milliseconds. */
interface Stretch {
  readonly kind: PartKind;
  readonly from: number;
  readonly to: number;
  readonly attempt?: number;
}

interface TimedNode {
  readonly node: ShownNodeExecution;
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly logs: readonly ShownLogEntry[];
  /** Its type waits for a time or a call: its own running time is negligible. */
  readonly isWait: boolean;
}

/** A node's attempts and the pauses between them, taken from its log. */
function partsOfNode({ node, from, to, logs, isWait }: TimedNode): Stretch[] {
  // A node with an invalid config failed before it could wait.
  const isUnready = node.status === "failed" && isJsonObject(node.error) && node.error.field !== undefined;
  if (isWait && !isUnready) return [{ kind: "wait", from, to }];
  const pauses = (node.retries ?? 0) > 0 ? pausesOf(node.nodeId, logs) : [];
  if (pauses.length === 0) return [{ kind: "run", from, to }];
  const parts: Stretch[] = [];
  let at = from;
  const add = (kind: "run" | "pause", until: number, attempt: number) => {
    const end = Math.min(to, Math.max(at, until));
    parts.push({ kind, from: at, to: end, attempt });
    at = end;
  };
  for (const [index, pause] of pauses.entries()) {
    add("run", pause.at, index + 1);
    add("pause", pause.at + pause.ms, index + 2);
  }
  if (at < to) add("run", to, pauses.length + 1);
  return parts;
}

/** Before each retry, a node logs its number and the pause. */
function pausesOf(nodeId: string, logs: readonly ShownLogEntry[]): { readonly at: number; readonly ms: number }[] {
  return logs.flatMap(({ nodeId: of, timestamp, data }) => {
    if (of !== nodeId || !isJsonObject(data)) return [];
    const { retry, delayMs } = data;
    return typeof retry === "number" && typeof delayMs === "number" ? [{ at: Date.parse(timestamp), ms: delayMs }] : [];
  });
}
