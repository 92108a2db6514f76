import type { ShownLogEntry, ShownNodeExecution } from "#lib/contract/executions.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import type { Stretch } from "./waterfall-bars.ts";

interface TimedNode {
  readonly node: ShownNodeExecution;
  /** Milliseconds of the clock. */
  readonly from: number;
  readonly to: number;
  readonly logs: readonly ShownLogEntry[];
  /** Its type waits for a time or a call: it runs for no time worth telling. */
  readonly isWait: boolean;
}

/** What a node's time went into: its tries and the pauses between them, which its log tells of. */
export function partsOfNode({ node, from, to, logs, isWait }: TimedNode): Stretch[] {
  if (isWait) return [{ kind: "wait", from, to }];
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

/** Before each retry, a node logs which it is and how long it waits for it. */
function pausesOf(nodeId: string, logs: readonly ShownLogEntry[]): { readonly at: number; readonly ms: number }[] {
  return logs.flatMap(({ nodeId: of, timestamp, data }) => {
    if (of !== nodeId || !isJsonObject(data)) return [];
    const { retry, delayMs } = data;
    return typeof retry === "number" && typeof delayMs === "number" ? [{ at: Date.parse(timestamp), ms: delayMs }] : [];
  });
}
