import { depthOf } from "#lib/engine/flow-body.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { jsonText, type NodeError } from "#lib/engine/outcome.ts";
import { type NodeWork, type RunFailure, runFlow } from "#lib/engine/run.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { type InjectedFault, ProcessDied } from "./injected-fault.ts";
import { type NodePart, partsOf, type Replayable } from "./prepare.ts";
import { type Recorded, RecordedAnswers, type Recording } from "./recording.ts";
import { ReplayIo } from "./replay-io.ts";
import { beginStep, joinStep, type Replaying, resumeStep } from "./replay-node.ts";
import { ReplayRecords } from "./replay-records.ts";
import { LoopItems } from "./replay-size.ts";
import { nodesReplayed, type ReplayedNode } from "./replayed-nodes.ts";
import type { FindFlow } from "./sub-flow.ts";

/** A replay's input. */
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
  /** Sub-flows are replayed too, unless their recording gives their result. */
  readonly deep?: boolean | undefined;
}

export interface Replayed {
  /** `completed` even if the end is open. */
  readonly status: "completed" | "failed";
  readonly output: unknown;
  readonly failure: RunFailure | null;
  readonly nodes: ReadonlyMap<string, ReplayedNode>;
  /** The same in dependency order. */
  readonly parts: readonly NodePart[];
  /** Nodes without a recording that would have reached the outside. */
  readonly notRecorded: readonly string[];
  /** True if the end depends on a missing recording and is left open. */
  readonly isOpen: boolean;
  /** What steps would have sent, by step id. */
  readonly requests: ReadonlyMap<string, unknown>;
}

/** The surroundings of a replay. */
export interface ReplayContext {
  readonly flowName: string;
  /** The flow's own id, if it has one, so that a deep test does not start it again. */
  readonly flowId?: string;
  readonly sandbox: Sandbox;
  /** The owner of its tasks in the sandbox. */
  readonly owner: string;
  /** Aborts the replay. */
  readonly signal?: AbortSignal;
  /** Finds the flows that a deep test replays; if missing, there are none. */
  readonly findFlow?: FindFlow;
  /** Replaces the input's recordings. What it does not know is left open, with everything that depends on it. */
  readonly recorded?: Recorded;
  /** A failure ends neither the run nor a loop, to find what was sent in parallel. */
  readonly continuesAfterFailure?: boolean;
}

/** The replay around that of a sub-flow. */
export type Outer = Pick<Replaying, "nowMs" | "used" | "chain">;

/** A replay's result, and the recordings that it used. */
export interface ReplayedFlow extends Replayed {
  /** Every failure, including caught ones, by step. */
  readonly failures: ReadonlyMap<string, NodeError>;
  readonly outputJson: string;
  /** Steps of nodes and loop iterations, including those of sub-flows. */
  readonly steps: number;
  /** Characters of outputs and requests, as JSON. */
  readonly characters: number;
}

/** The ids in every replay, whatever flow and run a test was made from. */
export const replayIds = { execution: `exec_${"0".repeat(26)}`, flow: `flow_${"0".repeat(26)}` } as const;

/**
 * Runs a flow over recorded data, with the same engine as a run. No request is sent and nothing is stored; time, random
 * numbers and order are the same in every replay. Rejects with the signal's reason if aborted.
 */
export async function replay(flow: Replayable, input: ReplayInput, context: ReplayContext): Promise<Replayed> {
  const { status, output, failure, nodes, parts, notRecorded, isOpen, requests } = await replayFlow(
    flow,
    input,
    context,
    null,
  );
  return { status, output, failure, nodes, parts, notRecorded, isOpen, requests };
}

/** The same, with all that a rehearsal needs. `injected`: the fault. */
export async function replayFlow(
  flow: Replayable,
  input: ReplayInput,
  context: ReplayContext,
  injected: InjectedFault | null,
  outer: Outer | null = null,
): Promise<ReplayedFlow> {
  const replaying = newReplaying(flow, input, context, injected, outer);
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
        nodes: nodesReplayed(flow.graph, outcomes, replaying),
        parts: partsOf(flow.graph),
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
      // The next process has only what is recorded.
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
  context: ReplayContext,
  injected: InjectedFault | null,
  outer: Outer | null,
): Replaying {
  const { flowName, flowId, sandbox, owner, recorded } = context;
  const { signal = new AbortController().signal, findFlow = async () => null } = context;
  return {
    run: {
      id: replayIds.execution,
      workspaceId: owner,
      flowId: replayIds.flow,
      flowName,
      startedAt: input.now,
      trigger: { value: input.trigger, json: jsonText(input.trigger).json },
      version: flow,
    },
    depth: depthOf(input.trigger.headers),
    flow,
    nowMs: Date.parse(input.now),
    sandbox,
    signal,
    tape: recorded ?? new RecordedAnswers(input.recordings),
    leavesOpen: recorded !== undefined,
    continuesAfterFailure: context.continuesAfterFailure === true,
    requests: new Map(),
    items: new LoopItems(),
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
    injected,
    die: () => {},
  };
}

/** The default trigger data of a replay. */
export const emptyTrigger: ReplayInput["trigger"] & JsonObject = { body: {}, headers: {}, query: {}, method: "POST" };
