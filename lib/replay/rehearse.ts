import type { Fault } from "#lib/engine/faults.ts";
import type { NodeError } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import { effectOf } from "#lib/nodes/registry.ts";
import { cut } from "./comparison/compare.ts";
import { InjectedFault } from "./injected-fault.ts";
import type { Replayable } from "./prepare.ts";
import { type ReplayContext, type ReplayedFlow, type ReplayInput, replayFlow } from "./replay.ts";

/** A node and its one-time fault. */
export interface NodeFault {
  readonly nodeId: string;
  readonly fault: Fault;
}

/** A run's outcome with one fault. */
export interface Case extends NodeFault {
  readonly status: "completed" | "failed";
  /** The flow's answer; null if the run failed, truncated if large. */
  readonly answer: unknown;
  /**
   * True if an error edge, `onError`, a retry or recovery led to a completed run, and its receivers can detect every
   * repeated effect.
   */
  readonly handled: boolean;
  /** Nodes whose effects may have happened twice. */
  readonly repeatedEffects: string[];
  /** How often the node tried to act. */
  readonly attempts: number;
  /** What happened, in sentences. */
  readonly note: string;
}

/** Replays a flow with a fault. `base`: the same replay without it. */
export async function rehearse(
  flow: Replayable,
  input: ReplayInput,
  context: ReplayContext,
  base: ReplayedFlow,
  { nodeId, fault }: NodeFault,
): Promise<Case> {
  const injected = new InjectedFault(nodeId, fault);
  const run = await replayFlow(flow, input, context, injected);
  const { status } = run;
  const isStruck = injected.step !== null;
  const failed = failuresBy(injected, run, base);
  const isCaught = failed.length > 0 || injected.attempts > 1;
  const beside = repeatedSends(injected);
  // A payment made twice is not handled.
  const isSafe = (!injected.isRepeated || hasSingleKey(injected)) && beside.every(({ hasKey }) => hasKey);
  return {
    nodeId,
    fault,
    status,
    answer: status === "completed" ? cut(run.output) : null,
    handled: isStruck && status === "completed" && isCaught && isSafe,
    repeatedEffects: [...new Set([...(injected.isRepeated ? [nodeId] : []), ...beside.map(({ id }) => id)])],
    attempts: injected.attempts,
    note: isStruck
      ? noteOf(injected, run, base, failed, beside)
      : "The run does not reach this node: nothing went wrong.",
  };
}

interface Failed extends NodeError {
  readonly stepId: string;
}

/** The failures that the fault caused: the step itself first, then those that do not happen without it. */
function failuresBy({ step }: InjectedFault, run: ReplayedFlow, base: ReplayedFlow): Failed[] {
  const all = [...run.failures].map(([stepId, error]) => ({ stepId, ...error }));
  const own = all.filter(({ stepId }) => stepId === step?.id);
  return [...own, ...all.filter(({ stepId }) => stepId !== step?.id && !base.failures.has(stepId))];
}

interface ParallelSend {
  readonly id: string;
  /** Whether its receiver can detect the repetition. */
  readonly hasKey: boolean;
}

/** Writes in progress when the process died, whose records do not show whether they were done. */
function repeatedSends({ beside, sent }: InjectedFault): ParallelSend[] {
  return beside.flatMap(({ id, node: { node } }) => {
    const key = sent.get(id);
    return key === undefined || effectOf(node) !== "write" ? [] : [{ id: node.id, hasKey: key !== null }];
  });
}

function noteOf(
  injected: InjectedFault,
  run: ReplayedFlow,
  base: ReplayedFlow,
  failed: readonly Failed[],
  beside: readonly ParallelSend[],
): string {
  const { step, assumed } = injected;
  const isOwn = failed[0] !== undefined && failed[0].stepId === step?.id;
  const others = isOwn ? failed.slice(1) : failed;
  const sentences = isOwn && !isDeath(injected.fault) ? [] : [describeCourse(injected)];
  if (isOwn) sentences.push(failureOf(failed[0] as Failed, "It"));
  if (beside.length > 0) sentences.push(describeBeside(beside));
  for (const failure of others.slice(0, 3))
    sentences.push(failureOf(failure, `"${readStepId(failure.stepId).nodeId}"`));
  if (run.status === "failed") {
    sentences.push(base.status === "failed" ? "The run failed, as it does without the fault." : "The run failed.");
  } else {
    if (isOwn) sentences.push(`${catcherOf(injected)} caught that.`);
    sentences.push(run.outputJson === base.outputJson ? "The answer is the same." : "The answer differs.");
  }
  if (assumed.size > 0) {
    const names = [...assumed].slice(0, 5).map((id) => `"${id}"`);
    sentences.push(`Nothing is recorded for ${names.join(", ")}: it was assumed to succeed.`);
  }
  return sentences.join(" ");
}

function describeBeside(beside: readonly ParallelSend[]): string {
  const names = [...new Set(beside.map(({ id }) => `"${id}"`))];
  const listed = names.slice(0, 5).join(", ");
  const blind = beside.some(({ hasKey }) => !hasKey)
    ? ", without an Idempotency-Key: the receiver cannot detect it"
    : "";
  return `At the same time ${listed} may have been sent, and may be sent again${blind}.`;
}

const isDeath = (fault: Fault) => fault === "killed-before" || fault === "killed-after";

const messageCharactersMax = 200;

function failureOf({ code, message }: NodeError, who: string): string {
  const text = message.length > messageCharactersMax ? `${message.slice(0, messageCharactersMax)}…` : message;
  return `${who} failed with ${code}: ${text.replace(/[.\s]*$/, "")}.`;
}

/** How the node itself continued if it did not fail, as a sentence. */
function describeCourse({ fault, step, attempts, keys }: InjectedFault): string {
  if (fault === "killed-before") return "The process died before the node acted; the next one did it, once.";
  if (fault === "killed-after" && keys.length === 0) {
    return "The process died after the start of the sub-flow; the next one found it started, and started no other.";
  }
  if (fault === "killed-after") {
    const repeated = "The process died after the request and before its record; the next one sent it again";
    if (step !== null && effectOf(step.node.node) === "read") return `${repeated}, which changes nothing.`;
    const [key] = keys;
    if (key === null) return `${repeated}, without an Idempotency-Key: the receiver cannot detect it.`;
    return hasSingleKey({ keys })
      ? `${repeated}, with the same Idempotency-Key.`
      : `${repeated}, with another Idempotency-Key: the receiver cannot detect it.`;
  }
  if (attempts > 1) return `It succeeded at attempt ${attempts}.`;
  if (fault === "empty") return "It continued with an empty answer.";
  return fault === "bad-json" ? "It continued with text instead of JSON." : "It continued.";
}

/** Whether all these requests had the same key, so that their receiver can dedupe them. */
function hasSingleKey({ keys }: Pick<InjectedFault, "keys">): boolean {
  return keys[0] !== null && keys.every((key) => key === keys[0]);
}

function catcherOf({ step }: InjectedFault): string {
  if (step?.node.node.config.onError === "continue") return "onError";
  return step?.node.catches === true ? "Its error edge" : "The loop";
}
