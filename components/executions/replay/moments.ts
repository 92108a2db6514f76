import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import type { LoopIteration } from "#lib/contract/executions/iterations.ts";
import type { ShownLogEntry } from "#lib/contract/executions/logs.ts";
import type { StateChange } from "#lib/contract/executions/timeline.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";

/** A step of a loop's body at the shown moment. */
export interface LoopStep {
  readonly nodeId: string;
  readonly iteration: string;
  readonly status: StateChange["to"];
  readonly because: StateChange["because"];
}

/** A run after some of its changes. */
export interface Moment {
  /** The time of its last change; null before the first. */
  readonly at: string | null;
  /** The flow's own nodes, in the run's order. */
  readonly nodes: readonly ShownNodeExecution[];
  /** Steps of loops that had started or were skipped, by `stepKey`. */
  readonly loopSteps: ReadonlyMap<string, LoopStep>;
  /** Keys of loop steps that are reported later. A long timeline does not include every step. */
  readonly ahead: ReadonlySet<string>;
}

/** The key of a loop body's step. */
export function stepKey(nodeId: string, iteration: string): string {
  return `${iteration} ${nodeId}`;
}

/** A change's stable key in a timeline: a node enters each state once per iteration. */
export function changeKey({ nodeId, iteration, to }: StateChange): string {
  return `${to} ${stepKey(nodeId, iteration ?? "")}`;
}

interface Seen {
  readonly change: StateChange;
  readonly startedAt: string | null;
}

/**
 * The run after its first `count` changes. A node already in its recorded state is the record itself; others have
 * what was known then.
 */
export function momentOf(
  recorded: readonly ShownNodeExecution[],
  changes: readonly StateChange[],
  count: number,
): Moment {
  const own = new Map<string, Seen>();
  const loopSteps = new Map<string, LoopStep>();
  for (const change of changes.slice(0, count)) {
    const { nodeId, iteration, to, because } = change;
    if (iteration === null) {
      const startedAt = to === "running" ? change.at : (own.get(nodeId)?.startedAt ?? null);
      own.set(nodeId, { change, startedAt });
    } else {
      loopSteps.set(stepKey(nodeId, iteration), { nodeId, iteration, status: to, because });
    }
  }
  const ahead = new Set<string>();
  for (const { nodeId, iteration } of changes.slice(count)) {
    if (iteration !== null) ahead.add(stepKey(nodeId, iteration));
  }
  const nodes = recorded.map((node) => nodeAt(node, own.get(node.nodeId)));
  return { at: changes[count - 1]?.at ?? null, nodes, loopSteps, ahead };
}

function nodeAt(node: ShownNodeExecution, seen: Seen | undefined): ShownNodeExecution {
  const status = seen?.change.to ?? "pending";
  if (status === node.status && status !== "running") return node;
  const { nodeId, nodeName, type, effect } = node;
  const isEnded = status !== "pending" && status !== "running";
  return {
    nodeId,
    nodeName,
    type,
    status,
    startedAt: seen?.startedAt ?? null,
    completedAt: isEnded ? (seen?.change.at ?? null) : null,
    duration: null,
    ...(effect !== undefined && { effect }),
  };
}

/** A loop on the canvas: its id, and its body in the flow. */
interface LoopNode {
  readonly id: string;
  readonly config: JsonObject;
}

/** The moment's nodes, with the number of started items for loops. `flow`: the executed flow's nodes. */
export function withItemsBegun({ nodes, loopSteps }: Moment, flow: readonly LoopNode[]): readonly ShownNodeExecution[] {
  const loopOf = new Map(flow.flatMap(({ id, config }) => idsWithin(config).map((inner) => [inner, id] as const)));
  const begun = new Map<string, Set<string>>();
  for (const { nodeId, iteration } of loopSteps.values()) {
    const loop = loopOf.get(nodeId);
    const [item = iteration] = iteration.split(".");
    if (loop !== undefined) begun.set(loop, (begun.get(loop) ?? new Set()).add(item));
  }
  return nodes.map((node) => {
    const items = begun.get(node.nodeId);
    return items === undefined || node.status !== "running" ? node : { ...node, iterations: items.size };
  });
}

/** The ids of all nodes in a loop's body, at any depth. */
function idsWithin({ body }: JsonObject): string[] {
  const nodes = isJsonObject(body) && Array.isArray(body.nodes) ? body.nodes : [];
  return nodes.filter(isJsonObject).flatMap(({ id, config }) => {
    return [...(typeof id === "string" ? [id] : []), ...(isJsonObject(config) ? idsWithin(config) : [])];
  });
}

/** A loop body's step at a moment, without its later result; and without its wait, which may have begun later. */
export function stepThen(node: ShownNodeExecution, iteration: string, moment: Moment | null): ShownNodeExecution {
  if (moment === null) return node;
  const key = stepKey(node.nodeId, iteration);
  const stepStatus = moment.loopSteps.get(key)?.status ?? (moment.ahead.has(key) ? "pending" : null);
  const status = stepStatus ?? statusByTimes(node, moment.at);
  if (status === node.status && status !== "running") return node;
  const { output: _, error: __, waitingFor: ___, waitingUntil: ____, ...then } = node;
  return { ...then, status, completedAt: null, duration: null };
}

/** For steps that the timeline does not include. */
function statusByTimes({ startedAt, completedAt, status }: ShownNodeExecution, at: string | null): StateChange["to"] {
  if (at === null || startedAt === null || startedAt > at) return "pending";
  return completedAt === null || completedAt > at ? "running" : status;
}

/** An iteration of a loop at a moment. */
type IterationThen = Omit<LoopIteration, "status"> & { readonly status: StateChange["to"] };

/** An iteration of a loop at a moment: by its times, and within one millisecond by its steps. */
export function iterationThen(item: LoopIteration, moment: Moment | null): IterationThen {
  if (moment === null) return item;
  const { iteration, startedAt, completedAt } = item;
  const at = moment.at ?? "";
  const steps = [...moment.loopSteps.values()].filter((step) => step.iteration === iteration);
  const isBegun = startedAt !== null && (startedAt < at || (startedAt === at && steps.length > 0));
  if (!isBegun) return { ...item, status: "pending", nodesExecuted: 0, duration: null };
  const isBusy = () =>
    steps.some(({ status }) => status === "running") ||
    [...moment.ahead].some((key) => key.startsWith(stepKey("", iteration)));
  const isEnded = completedAt !== null && (completedAt < at || (completedAt === at && !isBusy()));
  const { waitingFor: _, waitingUntil: __, ...then } = item;
  return isEnded ? item : { ...then, status: "running", duration: null };
}

/** The log entries up to a moment. */
export function logsThen(logs: readonly ShownLogEntry[], moment: Moment | null): readonly ShownLogEntry[] {
  if (moment === null) return logs;
  const { at } = moment;
  return at === null ? [] : logs.filter(({ timestamp }) => timestamp <= at);
}

/** How many changes had happened at a time, in Unix milliseconds. */
export function countAt(changes: readonly StateChange[], ms: number): number {
  const next = changes.findIndex(({ at }) => Date.parse(at) > ms);
  return next < 0 ? changes.length : next;
}

/** Milliseconds: the minimum and maximum time per change, and the total. */
const shown = { leastMs: 300, mostMs: 1_500, allMs: 30_000 } as const;

/**
 * When each moment is shown in a replay at normal speed, in milliseconds from its start. Follows the run's own pace,
 * but every moment is visible, waits are skipped, and a long run takes about half a minute.
 */
export function playTimes(changes: readonly StateChange[]): number[] {
  const least = Math.min(shown.leastMs, shown.allMs / Math.max(1, changes.length));
  const most = Math.max(least, Math.min(shown.mostMs, 4 * least));
  const times = [0];
  for (const [index, { at }] of changes.entries()) {
    const before = changes[index - 1];
    const gap = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at);
    times.push((times.at(-1) ?? 0) + Math.min(most, Math.max(least, gap)));
  }
  return times;
}
