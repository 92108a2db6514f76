import type { JsonObject } from "#lib/engine/json.ts";
import { jsonText, type NodeError, type Outcome } from "#lib/engine/outcome.ts";
import { type NodeWork, type RunFailure, runFlow } from "#lib/engine/run.ts";
import { readStepId } from "#lib/engine/step.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { type Mishap, ProcessDied } from "./mishap.ts";
import { nodesOfGraph, type Replayable } from "./prepare.ts";
import { type Recorded, type Recording, Tape } from "./recording.ts";
import { ReplayIo } from "./replay-io.ts";
import { beginStep, joinStep, type Replaying, resumeStep } from "./replay-node.ts";
import { ReplayRecords } from "./replay-records.ts";
import type { FindFlow } from "./sub-flow.ts";

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
  /** Sub-flows are run through as well, where their recording does not say what they came to. */
  readonly deep?: boolean | undefined;
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
  /** True where it depends on what is not recorded, and is left open. */
  readonly isOpen: boolean;
}

export interface Replayed {
  /** `completed` also of one whose end is open. */
  readonly status: "completed" | "failed";
  readonly output: unknown;
  readonly failure: RunFailure | null;
  readonly nodes: ReadonlyMap<string, ReplayedNode>;
  /** Nodes that would have reached the outside without a recording. */
  readonly notRecorded: readonly string[];
  /** True where its end depends on what is not recorded, and is left open. */
  readonly isOpen: boolean;
  /** What steps would have sent, by their ids. */
  readonly requests: ReadonlyMap<string, unknown>;
}

/** What a replay is surrounded by. */
export interface Around {
  readonly flowName: string;
  /** The flow's own id, if it has one: no deep test starts it again. */
  readonly flowId?: string;
  readonly sandbox: Sandbox;
  /** Whose work it is in the sandbox. */
  readonly owner: string;
  /** Aborting gives the replay up. */
  readonly signal?: AbortSignal;
  /** The flows that a deep test runs through; without it there are none. */
  readonly findFlow?: FindFlow;
  /** Takes the place of the recordings. What it does not know is left open, with all that depends on it. */
  readonly recorded?: Recorded;
}

/** A replay within another: that of a sub-flow. */
export type Outer = Pick<Replaying, "nowMs" | "used" | "chain">;

/** What a replay came to, and what it took. */
export interface ReplayedWhole extends Replayed {
  /** Every failure, also one that was caught, by step. */
  readonly failures: ReadonlyMap<string, NodeError>;
  readonly outputJson: string;
  /** Of nodes and of loops' iterations, those of sub-flows included. */
  readonly steps: number;
  /** Of outputs and requests, as JSON. */
  readonly characters: number;
}

/** Ids as a replay has them: always the same, whatever became of the flow and the run that a test was made from. */
export const replayIds = { execution: `exec_${"0".repeat(26)}`, flow: `flow_${"0".repeat(26)}` } as const;

/**
 * Runs a flow over recorded data: the engine of every run, and nothing else of one. No request leaves, nothing is stored,
 * and time, chance and order are the same in every replay. Rejects with the signal's reason when it is given up.
 */
export async function replay(flow: Replayable, input: ReplayInput, around: Around): Promise<Replayed> {
  const { status, output, failure, nodes, notRecorded, isOpen, requests } = await replayWhole(
    flow,
    input,
    around,
    null,
  );
  return { status, output, failure, nodes, notRecorded, isOpen, requests };
}

/** The same, with all that a rehearsal wants to know. `mishap`: what goes wrong. */
export async function replayWhole(
  flow: Replayable,
  input: ReplayInput,
  around: Around,
  mishap: Mishap | null,
  outer: Outer | null = null,
): Promise<ReplayedWhole> {
  const replaying = newReplaying(flow, input, around, mishap, outer);
  const { signal } = replaying;
  const records = new ReplayRecords();
  for (;;) {
    const io = new ReplayIo(replaying, records);
    const work: NodeWork = {
      begin: (step) => beginStep(replaying, step),
      resume: (step, wait) => resumeStep(replaying, step, wait, io.wakes.get(step.id) ?? null),
      join: (step, outcome) => joinStep(replaying, step, outcome),
    };
    replaying.die = (death) => io.schedule.end(death);
    try {
      const { outcomes, failure, output, waiting } = await runFlow(flow.graph, io, work, signal);
      signal.throwIfAborted();
      return {
        status: failure === null ? "completed" : "failed",
        output: failure === null ? output.value : null,
        failure,
        nodes: nodesReplayed(flow, outcomes, replaying),
        notRecorded: [...replaying.notRecorded],
        isOpen: waiting,
        requests: replaying.requests,
        outputJson: output.json,
        failures: replaying.failures,
        steps: replaying.used.steps,
        characters: replaying.used.characters,
      };
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error;
      // The next process has what is recorded.
      records.lose();
    } finally {
      if (signal.aborted) io.schedule.end(signal.reason);
      else io.schedule.drop();
    }
  }
}

function newReplaying(
  flow: Replayable,
  input: ReplayInput,
  around: Around,
  mishap: Mishap | null,
  outer: Outer | null,
): Replaying {
  const { flowName, flowId, sandbox, owner, recorded } = around;
  const { signal = new AbortController().signal, findFlow = async () => null } = around;
  return {
    run: {
      id: replayIds.execution,
      workspaceId: owner,
      flowId: replayIds.flow,
      flowName,
      startedAt: input.now,
      trigger: input.trigger,
      triggerJson: jsonText(input.trigger).json,
      version: flow,
    },
    flow,
    nowMs: Date.parse(input.now),
    sandbox,
    signal,
    tape: recorded ?? new Tape(input.recordings),
    leavesOpen: recorded !== undefined,
    requests: new Map(),
    taken: new Map(),
    notRecorded: new Set(),
    open: new Set(),
    begun: new Set(),
    ended: new Map(),
    failures: new Map(),
    used: outer?.used ?? { characters: 0, subFlows: 0, steps: 0 },
    isDeep: input.deep === true,
    findFlow,
    chain: outer?.chain ?? (flowId === undefined ? [] : [flowId]),
    mishap,
    die: () => {},
  };
}

function nodesReplayed(
  flow: Replayable,
  outcomes: ReadonlyMap<string, Outcome>,
  { ended, begun, requests, open }: Replaying,
): Map<string, ReplayedNode> {
  const all = [...begun].filter((id) => isIteration(id) && (ended.has(id) || open.has(id)));
  const iterations = Map.groupBy(all, (id) => readStepId(id).nodeId);
  const openIterations = new Set([...open].filter(isIteration).map((id) => readStepId(id).nodeId));
  const nodes = new Map<string, ReplayedNode>();
  for (const { node: own, body } of flow.graph.order) {
    // What has no outcome waits for one that is open.
    const isOwnOpen = !outcomes.has(own.id);
    for (const { id } of [own, ...(body === null ? [] : nodesOfGraph(body))]) {
      const outcome = id === own.id ? outcomes.get(id) : undefined;
      // Steps of a body happen one after the other, so that they stand in the order of the items.
      const steps = iterations.get(id) ?? [];
      const sent = steps.map((step) => requests.get(step) ?? null);
      const repeated = sent.every((request) => request === null) ? {} : { request: sent };
      const single = requests.has(id) ? { request: requests.get(id) } : repeated;
      const isOpen = isOwnOpen || openIterations.has(id);
      if (outcome !== undefined) nodes.set(id, { ...shown(outcome), ...single, isRepeated: false, isOpen });
      else if (id === own.id) nodes.set(id, { ...shown({ status: "skipped" }), ...single, isRepeated: false, isOpen });
      else if (!nodes.has(id)) {
        nodes.set(id, { ...together(steps.map((step) => ended.get(step))), ...repeated, isOpen });
      }
    }
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
function together(outcomes: readonly (Outcome | undefined)[]): Omit<ReplayedNode, "request" | "isOpen"> {
  const all = outcomes.map((outcome) => shown(outcome ?? { status: "skipped" }));
  const worst = (["failed", "completed", "cancelled"] as const).find((status) =>
    all.some((one) => one.status === status),
  );
  const error = all.find((one) => one.error !== null)?.error ?? null;
  return { status: worst ?? "skipped", output: all.map(({ output }) => output), error, isRepeated: true };
}

/** A trigger's data for a replay that was given none. */
export const emptyTrigger: ReplayInput["trigger"] & JsonObject = { body: {}, headers: {}, query: {}, method: "POST" };
