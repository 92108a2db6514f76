import type { Actor } from "#lib/auth/actor.ts";
import type { Reason } from "#lib/contract/executions/executions.ts";
import { type StateChange, timelineStepsMax } from "#lib/contract/executions/timeline.ts";
import type { Graph, GraphNode } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import { iso } from "#lib/platform/clock.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { decidedOn, type RecordedStep, recordedSteps } from "./recorded-steps.ts";
import { whyFailed } from "./why-failed.ts";
import { decisionsBefore, failureOf, isEnded, ledBy, type RecordedGraph, reasonOf, whySkipped } from "./why-skipped.ts";
import { whyWaited } from "./why-waited.ts";

/** One graph of a run as it was run: the flow's own, or a loop's body in one iteration. */
interface Part extends RecordedGraph {
  readonly iteration: string | null;
  /** Where it stands in the run: the ranks of the loops around it, each with its iteration. */
  readonly place: readonly number[];
}

/** A change with what orders it among others of the same millisecond. */
interface Placed {
  readonly change: StateChange;
  readonly at: number;
  readonly place: readonly number[];
}

/** Values are told with each change that follows from them: what a node itself tells has more of them. */
const valueCharactersMax = 200;
/** Failures of which is told what they read: each takes a look at recorded data. */
const failuresReadMax = 20;

/** Every change of state in a run, in order; also while it goes on. Throws NOT_FOUND. */
export async function readTimeline(actor: Actor, id: string): Promise<StateChange[]> {
  const run = await findExecution(actor, id);
  const version = await loadVersion(run.flowId, run.flowVersion);
  if (version === null) return [];
  const steps = await recordedSteps(id, { withLoops: true, most: timelineStepsMax });
  const parts = partsOf(
    version.graph,
    Map.groupBy(steps, ({ iteration }) => iteration),
  );
  const waits = await whyWaited(id, timelineStepsMax);
  const values = await decidedOn(id, [...new Set(parts.flatMap(deciding))], valueCharactersMax);
  const failures = new Map<string, Reason[]>();
  for (const step of steps.filter(({ error }) => error?.expression !== undefined).slice(0, failuresReadMax)) {
    failures.set(step.id, await whyFailed(run, version, step));
  }
  const changes: Placed[] = [];
  for (const part of parts) {
    changes.push(...changesOf(part, { run, values, waits, failures }));
    await nextTurn();
  }
  return changes.sort(inOrder).map(({ change }) => change);
}

/** The flow's own graph, and the body of every loop for each of its iterations that is recorded. */
function partsOf(graph: Graph, byIteration: ReadonlyMap<string | null, readonly RecordedStep[]>): Part[] {
  const found: Part[] = [];
  const iterations = [...byIteration.keys()].filter((iteration) => iteration !== null);
  const add = (of: Graph, iteration: string | null, place: readonly number[]) => {
    const own = (byIteration.get(iteration) ?? []).filter(({ nodeId }) => of.byId.has(nodeId));
    const part: Part = { graph: of, steps: new Map(own.map((step) => [step.nodeId, step])), iteration, place };
    found.push(part);
    for (const [rank, { node, body }] of of.order.entries()) {
      if (body === null || !part.steps.has(node.id)) continue;
      for (const inner of iterations) {
        const turn = turnWithin(iteration, inner);
        const isOwn = turn !== null && byIteration.get(inner)?.some(({ nodeId }) => body.byId.has(nodeId));
        if (isOwn) add(body, inner, [...place, rank, turn]);
      }
    }
  };
  add(graph, null, []);
  return found;
}

/** The turn in a loop of this iteration; null for that of another loop, or of one further in. */
function turnWithin(outer: string | null, inner: string): number | null {
  const rest = outer === null ? inner : inner.startsWith(`${outer}.`) ? inner.slice(outer.length + 1) : "";
  return /^\d+$/.test(rest) ? Number(rest) : null;
}

/** Ids of the steps whose decisions are told. */
function deciding(part: Part): string[] {
  const { graph, steps } = part;
  const leading = [...steps.values()].filter(({ handle }) => handle !== null);
  const against = graph.order.flatMap(({ node }) => (steps.has(node.id) ? [] : decisionsBefore(part, node.id)));
  return [...leading, ...against].map(({ id }) => id);
}

interface Told {
  readonly run: ExecutionModel;
  readonly values: ReadonlyMap<string, unknown>;
  readonly waits: ReadonlyMap<string, Reason>;
  readonly failures: ReadonlyMap<string, readonly Reason[]>;
}

function changesOf(part: Part, told: Told): Placed[] {
  const { graph, steps, iteration, place } = part;
  const { run, values } = told;
  const changes: Placed[] = [];
  const settled = new Map<string, number>();
  for (const [rank, graphNode] of graph.order.entries()) {
    const { id: nodeId } = graphNode.node;
    const add = (at: number, end: number, change: Pick<StateChange, "from" | "to" | "because" | "attempt">) =>
      changes.push({
        at,
        place: [...place, rank, end],
        change: { at: iso(new Date(at)), nodeId, iteration, ...change },
      });
    const step = steps.get(nodeId);
    const isReached = step !== undefined && step.status !== "skipped" && step.startedAt !== null;
    if (!isReached) {
      if (run.completedAt === null) continue;
      const at = Math.min(decidedAt(graphNode, settled), run.completedAt.getTime());
      settled.set(nodeId, at);
      const because = whySkipped(part, nodeId, run, values);
      add(at, 0, { from: "pending", to: "skipped", attempt: 1, because });
      continue;
    }
    const { from, to } = timesOf(step, run);
    if (to !== null) settled.set(nodeId, to);
    const status = statusOf(step, run);
    const isReused = step.completedAt !== null && step.completedAt < run.startedAt;
    if (!isReused) {
      add(from, -1, { from: "pending", to: "running", attempt: 1, because: leadingTo(graphNode, part, values) });
    }
    if (to === null) continue;
    const because = isReused ? [] : endedBecause(step, told);
    add(to, Number.MAX_SAFE_INTEGER, {
      from: isReused ? "pending" : "running",
      to: status,
      attempt: step.retries + 1,
      because,
    });
  }
  return changes;
}

/** What a run from a node took over of an earlier one was there at its start. */
function timesOf({ startedAt, completedAt, status }: RecordedStep, run: ExecutionModel) {
  const earliest = run.startedAt.getTime();
  const from = Math.max(startedAt?.getTime() ?? 0, earliest);
  // What ends a run from outside leaves a record as it was.
  const end = completedAt ?? (status === "running" ? run.completedAt : null);
  return { from, to: end === null ? null : Math.max(end.getTime(), from) };
}

function statusOf(step: RecordedStep, run: ExecutionModel): StateChange["to"] {
  return step.status === "running" && run.completedAt !== null ? "cancelled" : (step.status as StateChange["to"]);
}

/** When it was known that no path leads to a node: what is before it had ended, or would not run either. */
function decidedAt({ incoming }: GraphNode, settled: ReadonlyMap<string, number>): number {
  const before = incoming.filter(({ source }) => source !== triggerSource);
  if (before.length === 0) return Number.POSITIVE_INFINITY;
  return Math.max(...before.map(({ source }) => settled.get(source) ?? Number.POSITIVE_INFINITY));
}

/** The ways that led to a node. */
function leadingTo({ incoming }: GraphNode, { graph, steps }: Part, values: Told["values"]): Reason[] {
  return incoming.flatMap((edge) => {
    const before = steps.get(edge.source);
    return before !== undefined && ledBy(before, edge) ? [reasonOf(graph, before, values)] : [];
  });
}

function endedBecause(step: RecordedStep, { waits, failures }: Told): Reason[] {
  const waited = waits.get(step.id);
  const failed = step.error === null ? [] : [failureOf(step)];
  if (waited === undefined) return [...failed, ...(failures.get(step.id) ?? [])];
  return isEnded(step) ? [...failed, waited] : [];
}

/** By time; within a millisecond as the engine does it: what leads somewhere before what it leads to. */
function inOrder(one: Placed, other: Placed): number {
  if (one.at !== other.at) return one.at - other.at;
  for (let depth = 0; depth < Math.max(one.place.length, other.place.length); depth += 1) {
    const difference = (one.place[depth] ?? 0) - (other.place[depth] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
