import type { Actor } from "#lib/auth/actor.ts";
import type { Reason } from "#lib/contract/executions/executions.ts";
import { type StateChange, timelineLimits } from "#lib/contract/executions/timeline.ts";
import type { GraphNode } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { iso } from "#lib/platform/clock.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { type Part, partsOf } from "./recorded-parts.ts";
import { decidedOn, type RecordedStep, recordedSteps } from "./recorded-steps.ts";
import { whyFailed } from "./why.ts";
import { failureOf, isEnded, isReached, pathsBack, reasonOf, tookEdge, whySkipped } from "./why-skipped.ts";
import { whyWaited } from "./why-waited.ts";

/** A change, with its order among others of the same millisecond. */
interface Placed {
  readonly change: StateChange;
  readonly at: number;
  readonly place: readonly number[];
}

/** Values are repeated in each change that follows from them, so they are short; the node itself shows more. */
const valueCharactersMax = 200;
/** Failures explained with the values they read: each costs a read of recorded data. */
const failuresReadMax = 20;
/** The maximum number of reasons per change. */
const reasonsMax = 50;

/** Every change of state in a run, in order, even while it is in progress. Throws NOT_FOUND. */
export async function readTimeline(actor: Actor, id: string): Promise<StateChange[]> {
  const run = await findExecution(actor, id);
  const version = await loadVersion(run.flowId, run.flowVersion);
  if (version === null) return [];
  const own = await recordedSteps(id, { inLoops: false, most: version.graph.byId.size });
  const { loopStepsMax, loopSkipsMax, reasonsCharactersMax } = timelineLimits;
  const inLoops = await recordedSteps(id, { inLoops: true, most: loopStepsMax + 1 });
  // With more steps than are read, an iteration's skipped nodes are unknown.
  let loopSkipsLeft = inLoops.length > loopStepsMax ? 0 : loopSkipsMax;
  const steps = [...own, ...inLoops.slice(0, loopStepsMax)];
  const waits = await whyWaited(id, loopStepsMax);
  const deciding = steps.flatMap((step) => (step.handle === null ? [] : [step.id]));
  const values = await decidedOn(id, deciding, valueCharactersMax);
  const failures = new Map<string, Reason[]>();
  for (const step of steps.filter(({ error }) => error?.expression !== undefined).slice(0, failuresReadMax)) {
    failures.set(step.id, await whyFailed(run, version, step));
  }
  const reasons = new Reasons(reasonsCharactersMax);
  const changes: Placed[] = [];
  for (const part of partsOf(version.graph, steps)) {
    const explained = { run, values, waits, failures, reasons };
    changes.push(...changesOfSteps(part, explained));
    if (run.completedAt !== null && (part.iteration === null || loopSkipsLeft > 0)) {
      const skips = skipsOf(part, run.completedAt, explained);
      if (part.iteration !== null) loopSkipsLeft -= skips.length;
      changes.push(...skips);
    }
    await yieldTurn();
  }
  return changes.sort(byTime).map(({ change }) => change);
}

/** Reasons, up to a total size. */
class Reasons {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** The reasons if they fit; otherwise none. */
  take(reasons: readonly Reason[]): Reason[] {
    if (this.#left <= 0) return [];
    const listed = reasons.slice(0, reasonsMax);
    this.#left -= jsonCharacters(listed, this.#left);
    return this.#left < 0 ? [] : listed;
  }
}

interface Explained {
  readonly run: FoundExecution;
  readonly values: ReadonlyMap<string, unknown>;
  readonly waits: ReadonlyMap<string, Reason>;
  readonly failures: ReadonlyMap<string, readonly Reason[]>;
  readonly reasons: Reasons;
}

/** The changes of a part's reached nodes. */
function changesOfSteps(part: Part, explained: Explained): Placed[] {
  const { graph, steps, iteration, place } = part;
  const { run, values, reasons } = explained;
  const changes: Placed[] = [];
  for (const [rank, graphNode] of graph.order.entries()) {
    const { id: nodeId } = graphNode.node;
    const step = steps.get(nodeId);
    if (!isReached(step)) continue;
    const add = (at: number, end: number, change: Pick<StateChange, "from" | "to" | "because" | "attempt">) =>
      changes.push({
        at,
        place: [...place, rank, end],
        change: { at: iso(new Date(at)), nodeId, iteration, ...change },
      });
    const { from, to } = timesOf(step, run);
    const isReused = step.completedAt !== null && step.completedAt < run.startedAt;
    if (!isReused) {
      const because = reasons.take(leadingTo(graphNode, part, values));
      add(from, -1, { from: "pending", to: "running", attempt: 1, because });
    }
    if (to === null) continue;
    add(to, Number.MAX_SAFE_INTEGER, {
      from: isReused ? "pending" : "running",
      to: statusOf(step, run),
      attempt: step.retries + 1,
      because: isReused ? [] : reasons.take(endedBecause(step, explained)),
    });
  }
  return changes;
}

/** The changes of its other nodes, once the run has ended. */
function skipsOf(part: Part, endedAt: Date, { run, values, reasons }: Explained): Placed[] {
  const { graph, steps, iteration, place } = part;
  const paths = pathsBack(part);
  const settled = new Map<string, number>();
  const changes: Placed[] = [];
  for (const [rank, graphNode] of graph.order.entries()) {
    const { id: nodeId } = graphNode.node;
    const path = paths.get(nodeId);
    const step = steps.get(nodeId);
    if (path === undefined) {
      const to = step === undefined ? null : timesOf(step, run).to;
      if (to !== null) settled.set(nodeId, to);
      continue;
    }
    const at = Math.min(decidedAt(graphNode, settled), endedAt.getTime());
    settled.set(nodeId, at);
    const because = reasons.take(whySkipped(part, path, run, values));
    const change: StateChange = {
      at: iso(new Date(at)),
      nodeId,
      iteration,
      from: "pending",
      to: "skipped",
      attempt: 1,
      because,
    };
    changes.push({ at, place: [...place, rank, 0], change });
  }
  return changes;
}

/** A run from a node reuses outputs of an earlier run: these existed at its start. */
function timesOf({ startedAt, completedAt, status }: RecordedStep, run: FoundExecution) {
  const earliest = run.startedAt.getTime();
  const from = Math.max(startedAt?.getTime() ?? 0, earliest);
  // Ending a run from outside leaves its records unchanged.
  const end = completedAt ?? (status === "running" ? run.completedAt : null);
  return { from, to: end === null ? null : Math.max(end.getTime(), from) };
}

function statusOf(step: RecordedStep, run: FoundExecution): StateChange["to"] {
  return step.status === "running" && run.completedAt !== null ? "cancelled" : (step.status as StateChange["to"]);
}

/** When it was decided that no path leads to a node: every node before it had ended or would not run either. */
function decidedAt({ incoming }: GraphNode, settled: ReadonlyMap<string, number>): number {
  const before = incoming.filter(({ source }) => source !== triggerSource);
  if (before.length === 0) return Number.POSITIVE_INFINITY;
  return Math.max(...before.map(({ source }) => settled.get(source) ?? Number.POSITIVE_INFINITY));
}

/** The edges that led to a node. */
function leadingTo({ incoming }: GraphNode, { graph, steps }: Part, values: Explained["values"]): Reason[] {
  return incoming.flatMap((edge) => {
    const before = steps.get(edge.source);
    return before !== undefined && tookEdge(before, edge) ? [reasonOf(graph, before, values)] : [];
  });
}

function endedBecause(step: RecordedStep, { waits, failures }: Explained): Reason[] {
  const waited = waits.get(step.id);
  const failed = step.error === null ? [] : [failureOf(step)];
  if (waited === undefined) return [...failed, ...(failures.get(step.id) ?? [])];
  return isEnded(step) ? [...failed, waited] : [];
}

/** By time; within a millisecond in the engine's order: a node before its successors. */
function byTime(a: Placed, b: Placed): number {
  if (a.at !== b.at) return a.at - b.at;
  for (let depth = 0; depth < Math.max(a.place.length, b.place.length); depth += 1) {
    const difference = (a.place[depth] ?? 0) - (b.place[depth] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
