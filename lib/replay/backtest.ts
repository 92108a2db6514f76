import type { NodeDefinition } from "#lib/nodes/define.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { firstDifference, isLeftOut } from "./comparison/compare.ts";
import { type NodePart, nodesOfGraph, type Replayable } from "./prepare.ts";
import { asRecorded, type RecordedSteps, SameRequests } from "./recorded-run.ts";
import { type Replayed, type ReplayInput, replay } from "./replay.ts";
import { isShown } from "./replay-node.ts";
import type { ReplayedNode } from "./replayed-nodes.ts";

/** A past run. */
export interface PastRun {
  readonly status: "completed" | "failed";
  readonly trigger: ReplayInput["trigger"];
  /** ISO 8601: when it started. */
  readonly now: string;
  readonly steps: RecordedSteps;
}

/** How the run would change. `mended`: it failed and would complete. `broken`: the reverse. */
export type Verdict = "same" | "changed" | "mended" | "broken" | "unknown";

export interface Difference {
  /** Null for the run as a whole. */
  readonly nodeId: string | null;
  /** `output.total`, `request.body.amount`, `status`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A request that a node sends, or a wait. */
export interface ComparedCall {
  readonly nodeId: string;
  /** `unknown`: depends on an unknown answer. */
  readonly change: "same" | "changed" | "new" | "gone" | "unknown";
  readonly before: unknown;
  readonly after: unknown;
}

export interface Comparison {
  readonly verdict: Verdict;
  /** The first node, in the flow's order, with a different result. */
  readonly first: Difference | null;
  readonly calls: readonly ComparedCall[];
  /** Why the run cannot be compared. */
  readonly reason: string | null;
  readonly before: Replayed;
  readonly after: Replayed;
}

interface Around {
  readonly flowName: string;
  readonly sandbox: Sandbox;
  readonly owner: string;
  readonly signal: AbortSignal;
}

/**
 * Replays a run with the version that ran it and with another one, and returns how they differ. If the other version
 * sends a recorded request, it gets the recorded answer; otherwise the answer is unknown, and so is everything that
 * depends on it. Both see the same time and the same random numbers.
 */
export async function compareRun(
  before: Replayable,
  after: Replayable,
  run: PastRun,
  context: Around,
): Promise<Comparison> {
  const input = { trigger: run.trigger, now: run.now, recordings: {} };
  const then = await replay(before, input, { ...context, recorded: asRecorded(run.steps) });
  const recorded = new SameRequests(run.steps, await requestsOf(before, run, then, context));
  const now = await replay(after, input, { ...context, recorded });
  const first = await firstOf(then, now);
  const calls = await callsOf(before, then, after, now);
  const report = { first, calls, before: then, after: now };
  if (then.isOpen || then.status !== run.status) {
    const outcome = then.isOpen ? "cannot be replayed from its recording" : `is ${then.status} when replayed`;
    return { verdict: "unknown", reason: `The run ${run.status} and ${outcome}`, ...report };
  }
  if (now.isOpen) return { verdict: "unknown", reason: whyOpen(now), ...report };
  // A node that is not shown has a request only for the credentials that it reads.
  const isSeen = (definition: NodeDefinition) =>
    isRecorded(definition) || definition.answers === true || !isShown(definition);
  const seen = idsOfNodes([before, after], isSeen);
  const verdict = await verdictOf({ then, now, seen }, first);
  return { verdict, reason: null, ...report, first: verdict === "same" ? null : first };
}

/**
 * What the steps of a run sent. A failed run may have sent more than its replay does: items and branches in progress
 * continued.
 */
async function requestsOf(before: Replayable, run: PastRun, { requests }: Replayed, context: Around) {
  if ([...run.steps.keys()].every((id) => requests.has(id))) return requests;
  const input = { trigger: run.trigger, now: run.now, recordings: {} };
  const continued = await replay(before, input, {
    ...context,
    recorded: asRecorded(run.steps),
    continuesAfterFailure: true,
  });
  return new Map([...continued.requests, ...requests]);
}

interface Replays {
  readonly then: Replayed;
  readonly now: Replayed;
  /** Nodes whose requests are visible outside. */
  readonly seen: ReadonlySet<string>;
}

function whyOpen({ notRecorded }: Replayed): string {
  const names = notRecorded.slice(0, 3).map((id) => `"${id}"`);
  return `No answer is recorded for ${names.join(", ")}`;
}

/** Compares a run's visible behaviour: status, output, requests and answers. Not its log or duration. */
async function verdictOf({ then, now, seen }: Replays, first: Difference | null): Promise<Verdict> {
  if (then.status !== now.status) return now.status === "completed" ? "mended" : "broken";
  if (first === null) return "same";
  if (!(await isSame(then.output, now.output))) return "changed";
  if (!(await isSame(then.failure?.error, now.failure?.error))) return "changed";
  for (const id of seen) {
    if (!(await isSame(then.nodes.get(id)?.request, now.nodes.get(id)?.request))) return "changed";
  }
  return "same";
}

async function isSame(a: unknown, b: unknown): Promise<boolean> {
  return (await firstDifference("", a, b)) === null;
}

function idsOf(then: Replayed, now: Replayed): string[] {
  return [...now.nodes.keys(), ...[...then.nodes.keys()].filter((id) => !now.nodes.has(id))];
}

async function firstOf(then: Replayed, now: Replayed): Promise<Difference | null> {
  const removed = then.parts.filter(({ nodeId }) => !now.nodes.has(nodeId));
  let late: Difference | null = null;
  for (const { nodeId, part, within } of [...now.parts, ...removed]) {
    const found = await differenceOf(part, then.nodes.get(nodeId), now.nodes.get(nodeId));
    if (found === null) continue;
    const { isLate, ...call } = found;
    const statuses = [nodeId, ...within].flatMap((id) => [then.nodes.get(id)?.status, now.nodes.get(id)?.status]);
    if (!isLate && !statuses.some(isLeftOut)) return { nodeId, ...call };
    late ??= { nodeId, ...call };
  }
  if (late !== null || now.isOpen) return late;
  const [before, after] = [then, now].map(({ status, output }) => ({ status, output }));
  const found =
    (await compared("status", before?.status, after?.status)) ??
    (await compared("output", before?.output, after?.output));
  return found === null ? null : { nodeId: null, path: found.path, before: found.before, after: found.after };
}

interface Found extends Omit<Difference, "nodeId"> {
  /** Something else caused it, such as the number of iterations: it is reported only if nothing else differs. */
  readonly isLate: boolean;
}

/** A node that only one of the flows has is a difference if it is visible outside. */
async function differenceOf(
  part: NodePart["part"],
  then: ReplayedNode | undefined,
  now: ReplayedNode | undefined,
): Promise<Found | null> {
  const isOpen = now?.isOpen === true;
  const isRepeated = then?.isRepeated === true && now?.isRepeated === true;
  // A loop that did not start is reported by its end.
  if (part === "items" && (then?.items === undefined || now?.items === undefined)) return null;
  if (part === "items") return await compared("items", then?.items, now?.items, isRepeated);
  const sent =
    isOpen && now?.request === undefined ? null : await compared("request", then?.request, now?.request, isRepeated);
  if (sent?.isLate === false || then === undefined || now === undefined || isOpen || then.isOpen) return sent;
  const found =
    (await compared("status", then.status, now.status)) ??
    (await compared("error", then.error, now.error)) ??
    (await compared("output", then.output, now.output, isRepeated));
  return found?.isLate === false ? found : (sent ?? found);
}

async function compared(root: string, before: unknown, after: unknown, isRepeated = false): Promise<Found | null> {
  const found = await firstDifference(root, before, after, isRepeated);
  return found === null
    ? null
    : { path: found.path, before: found.expected, after: found.actual, isLate: found.isLate };
}

/** Requests and waits, in the order of the changed flow; those that are gone come last. */
async function callsOf(before: Replayable, then: Replayed, after: Replayable, now: Replayed): Promise<ComparedCall[]> {
  const calling = idsOfNodes([before, after], isRecorded);
  const calls: ComparedCall[] = [];
  for (const nodeId of idsOf(then, now)) {
    if (!calling.has(nodeId)) continue;
    const [earlier, later] = [then.nodes.get(nodeId), now.nodes.get(nodeId)];
    const change = await changeOf(earlier, later);
    if (change === null) continue;
    calls.push({ nodeId, change, before: earlier?.request ?? null, after: later?.request ?? null });
  }
  return calls;
}

async function changeOf(then: ReplayedNode | undefined, now: ReplayedNode | undefined) {
  const [before, after] = [then?.request, now?.request];
  if (before === undefined && after === undefined) return null;
  if (now?.isOpen === true && (after === undefined || (await isPrefixOf(after, before)))) return "unknown";
  if (before === undefined) return "new";
  if (after === undefined) return "gone";
  return (await isSame(before, after)) ? "same" : "changed";
}

/** For a loop that is left open: whether its iterations so far are the same. */
async function isPrefixOf(part: unknown, whole: unknown): Promise<boolean> {
  if (!Array.isArray(part) || !Array.isArray(whole) || part.length >= whole.length) return false;
  return await isSame(part, whole.slice(0, part.length));
}

function idsOfNodes(
  flows: readonly Replayable[],
  isCounted: (definition: NodeDefinition) => boolean,
): ReadonlySet<string> {
  const all = flows.flatMap(({ graph }) => nodesOfGraph(graph));
  const chosen = all.filter(({ type }) => {
    const definition = nodeDefinition(type);
    return definition !== undefined && isCounted(definition);
  });
  return new Set(chosen.map(({ id }) => id));
}

/** Whether the result of a node of this type is decided outside the run. A delay only has its time. */
export function isRecorded({ effect, waitsFor }: Pick<NodeDefinition, "effect" | "waitsFor">): boolean {
  return effect !== "none" && waitsFor !== "time";
}
