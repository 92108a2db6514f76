import type { JsonObject } from "#lib/engine/json.ts";
import { jsonText, type Outcome } from "#lib/engine/outcome.ts";
import { type Begun, type NodeWork, type RunFailure, type RunIo, runFlow } from "#lib/engine/run.ts";
import { readStepId, type Step } from "#lib/engine/step.ts";
import type { WaitRequest } from "#lib/engine/wait.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { nodesOfGraph, type Replayable } from "./prepare.ts";
import { memberOf, type Recording, Tape } from "./recording.ts";
import { beginStep, joinStep, type Replaying, resumeStep, wakeOf } from "./replay-node.ts";
import { type Moment, Schedule } from "./schedule.ts";

/** What a replay begins with. */
export interface ReplayInput {
  readonly trigger: {
    readonly body: unknown;
    readonly headers: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string | readonly string[]>>;
    readonly method: string;
  };
  /** ISO 8601: the time that the run sees. */
  readonly now: string;
  readonly recordings: Readonly<Record<string, Recording>>;
}

/** What a node came to in a replay; of a node in a loop's body, what each iteration did is in a list. */
export interface ReplayedNode {
  readonly status: Outcome["status"];
  /** Null where it has none. */
  readonly output: unknown;
  /** What it would have sent, or done outside; undefined where it did neither. */
  readonly request?: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** True for a node of a loop's body. */
  readonly isRepeated: boolean;
}

export interface Replayed {
  readonly status: "completed" | "failed";
  readonly output: unknown;
  readonly failure: RunFailure | null;
  readonly nodes: ReadonlyMap<string, ReplayedNode>;
  /** Nodes that would have reached the outside without a recording. */
  readonly notRecorded: readonly string[];
}

interface Around {
  readonly flowName: string;
  readonly sandbox: Sandbox;
  /** Whose work it is in the sandbox. */
  readonly owner: string;
  /** Aborting gives the replay up. */
  readonly signal?: AbortSignal;
}

/** Ids as a replay has them: always the same, whatever became of the flow and the run that a test was made from. */
export const replayIds = { execution: `exec_${"0".repeat(26)}`, flow: `flow_${"0".repeat(26)}` } as const;

/**
 * Runs a flow over recorded data: the engine of every run, and nothing else of one. No request leaves, nothing is stored,
 * and time, chance and order are the same in every replay. Rejects with the signal's reason when it is given up.
 */
export async function replay(flow: Replayable, input: ReplayInput, around: Around): Promise<Replayed> {
  const { signal = new AbortController().signal } = around;
  const replaying: Replaying = {
    run: {
      id: replayIds.execution,
      workspaceId: around.owner,
      flowId: replayIds.flow,
      flowName: around.flowName,
      startedAt: input.now,
      trigger: input.trigger,
      triggerJson: jsonText(input.trigger).json,
      version: flow,
    },
    flow,
    nowMs: Date.parse(input.now),
    sandbox: around.sandbox,
    signal,
    tape: new Tape(input.recordings),
    requests: new Map(),
    taken: new Map(),
    notRecorded: new Set(),
    size: 0,
  };
  const io = new ReplayIo(replaying);
  const work: NodeWork = {
    begin: (step) => beginStep(replaying, step),
    resume: (step, wait) => resumeStep(replaying, step, wait, io.wakes.get(step.id) ?? null),
    join: (step, outcome) => joinStep(replaying, step, outcome),
  };
  try {
    const { outcomes, failure, output } = await runFlow(flow.graph, io, work, signal);
    signal.throwIfAborted();
    return {
      status: failure === null ? "completed" : "failed",
      output: failure === null ? output.value : null,
      failure,
      nodes: nodesReplayed(flow, outcomes, io.ended, replaying.requests),
      notRecorded: [...replaying.notRecorded],
    };
  } finally {
    io.schedule.end();
  }
}

/** Steps happen one at a time, in an order that only the flow and its recordings decide. */
class ReplayIo implements RunIo {
  readonly schedule = new Schedule();
  readonly ended = new Map<string, Outcome>();
  readonly wakes = new Map<string, ReturnType<typeof wakeOf>>();
  readonly #replaying: Replaying;

  constructor(replaying: Replaying) {
    this.#replaying = replaying;
  }

  async task(step: Step, work: () => Promise<Begun>): Promise<Begun> {
    const isEffect = nodeDefinition(step.node.node.type)?.effect === "outside";
    const begun = await this.schedule.add({ phase: isEffect ? "effect" : "compute" }, work);
    if (begun.status !== "waiting" && begun.status !== "iterating") this.ended.set(step.id, begun);
    return begun;
  }

  /** What woke it; or, where nothing is recorded, a wake that the node is not told of: it fails. */
  async wait(step: Step, request: WaitRequest) {
    const wake = await this.schedule.add(this.#momentOf(step, request), () => wakeOf(this.#replaying, step, request));
    this.wakes.set(step.id, wake);
    return wake ?? { by: "time" as const, at: this.#replaying.run.startedAt, value: null };
  }

  async finish(step: Step, work: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = await this.schedule.add({ phase: "compute" }, work);
    this.ended.set(step.id, outcome);
    return outcome;
  }

  #momentOf(step: Step, { kind, until }: WaitRequest): Moment {
    if (kind === "execution") return { phase: "effect" };
    const { tape, nowMs } = this.#replaying;
    if (kind === "time") return { phase: "wait", at: until ?? nowMs };
    const entry = tape.next(step.id);
    if (entry !== null) this.#replaying.taken.set(step.id, entry);
    const resumedAt = entry !== null && "output" in entry ? memberOf(entry.output, "resumedAt") : undefined;
    const told = typeof resumedAt === "string" ? Date.parse(resumedAt) : Number.NaN;
    return { phase: "wait", at: Number.isNaN(told) ? (until ?? nowMs) : told };
  }
}

function nodesReplayed(
  flow: Replayable,
  outcomes: ReadonlyMap<string, Outcome>,
  ended: ReadonlyMap<string, Outcome>,
  requests: ReadonlyMap<string, unknown>,
): Map<string, ReplayedNode> {
  const iterations = Map.groupBy([...ended.keys()].filter(isIteration), (id) => readStepId(id).nodeId);
  const nodes = new Map<string, ReplayedNode>();
  for (const { id } of nodesOfGraph(flow.graph)) {
    const own = outcomes.get(id);
    // Steps of a body happen one after the other, so that they stand in the order of the items.
    const steps = iterations.get(id) ?? [];
    const sent = steps.map((step) => requests.get(step) ?? null);
    const repeated = sent.every((request) => request === null) ? {} : { request: sent };
    if (own !== undefined) {
      const request = requests.has(id) ? { request: requests.get(id) } : repeated;
      nodes.set(id, { ...shown(own), ...request, isRepeated: false });
    } else if (!nodes.has(id)) nodes.set(id, { ...together(steps.map((step) => ended.get(step))), ...repeated });
  }
  return nodes;
}

function isIteration(stepId: string): boolean {
  return readStepId(stepId).iteration !== null;
}

type Shown = Pick<ReplayedNode, "status" | "output" | "error">;

function shown(outcome: Outcome): Shown {
  const { status } = outcome;
  if (status === "completed") return { status, output: outcome.output.value, error: null };
  return { status, output: null, error: status === "failed" ? outcome.error : null };
}

/** What a node of a body came to in all iterations: it failed if it did in one of them. */
function together(outcomes: readonly (Outcome | undefined)[]): Omit<ReplayedNode, "request"> {
  const all = outcomes.map((outcome) => shown(outcome ?? { status: "skipped" }));
  const worst = (["failed", "completed", "cancelled"] as const).find((status) =>
    all.some((one) => one.status === status),
  );
  const error = all.find((one) => one.error !== null)?.error ?? null;
  return { status: worst ?? "skipped", output: all.map(({ output }) => output), error, isRepeated: true };
}

/** A trigger's data for a replay that was given none. */
export const emptyTrigger: ReplayInput["trigger"] & JsonObject = { body: {}, headers: {}, query: {}, method: "POST" };
