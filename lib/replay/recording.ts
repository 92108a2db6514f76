import { stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { readStepId, type Step } from "#lib/engine/step.ts";
import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import type { Replaying } from "./replay-node.ts";

/** The result of a node with an outside effect. */
export type RecordedOutcome =
  | { readonly output: unknown }
  | { readonly error: { readonly message: string; readonly code: string } };

/** The id of every execution that a replay would have started. */
export const startedId = `exec_${"0".repeat(26)}`;

/** For a sub-flow that a deep test replays: the recordings of the sub-flow's own nodes. */
export interface SubFlowRecording {
  readonly recordings: Readonly<Record<string, Recording>>;
}

/** One of several, with its iteration if it was recorded in a loop: `3`, in a nested loop `3.0`. */
type Entry = (RecordedOutcome | SubFlowRecording) & { readonly iteration?: string };

/**
 * A node's recording; a sequence for several attempts or iterations, in order, of which the last repeats. Each
 * iteration of a loop takes one, and all its attempts the same.
 */
export type Recording = RecordedOutcome | SubFlowRecording | { readonly sequence: readonly Entry[] };

/** Whether a recording gives its node's result, rather than those of a sub-flow's nodes. */
export function hasOutcome(recording: Recording): boolean {
  return "sequence" in recording ? recording.sequence.every(hasOutcome) : isOutcome(recording);
}

/** An outcome wins over a sub-flow's recording. */
export function isOutcome(entry: RecordedOutcome | SubFlowRecording): entry is RecordedOutcome {
  return "output" in entry || "error" in entry;
}

/** Where a replay finds answers from outside. */
export interface Recorded {
  /** The recorded outcome for a step that sends this request, or the recording of its sub-flow; null if unknown. */
  take(stepId: string, request: unknown): RecordedOutcome | SubFlowRecording | null;
  /** Whether the step is recorded as failed, regardless of its new request. */
  hasFailed?(stepId: string): boolean;
}

/** Plays back the recordings of each node, one after the other. */
export class RecordedAnswers implements Recorded {
  readonly #recordings: Readonly<Record<string, Recording>>;
  readonly #places = new Map<string, number>();
  /** What steps in loops have taken, by step. */
  readonly #taken = new Map<string, Entry | null>();
  /** The recordings of steps in loops, by step, if their iteration is known. */
  readonly #known = new Map<string, Entry>();

  constructor(recordings: Readonly<Record<string, Recording>>) {
    this.#recordings = recordings;
    for (const [nodeId, recording] of Object.entries(recordings)) {
      if (!("sequence" in recording)) continue;
      for (const entry of recording.sequence) {
        if (typeof entry.iteration === "string") this.#known.set(nodeId + stepSeparator + entry.iteration, entry);
      }
    }
  }

  /** The result of a step; null if nothing is recorded for it. */
  next(stepId: string): RecordedOutcome | null {
    const entry = this.take(stepId);
    return entry !== null && isOutcome(entry) ? entry : null;
  }

  /** The same, or the recording of the sub-flow that the step runs. */
  take(stepId: string): RecordedOutcome | SubFlowRecording | null {
    const { nodeId, iteration } = readStepId(stepId);
    const recording = Object.hasOwn(this.#recordings, nodeId) ? this.#recordings[nodeId] : undefined;
    if (recording === undefined) return null;
    if (!("sequence" in recording)) return recording;
    if (iteration === null) return this.#following(nodeId, recording.sequence);
    const taken = this.#taken.get(stepId) ?? this.#known.get(stepId) ?? this.#following(nodeId, recording.sequence);
    this.#taken.set(stepId, taken);
    return taken;
  }

  #following(nodeId: string, sequence: readonly Entry[]): Entry | null {
    const place = this.#places.get(nodeId) ?? 0;
    this.#places.set(nodeId, place + 1);
    return sequence[Math.min(place, sequence.length - 1)] ?? null;
  }
}

/** A member of a recorded output; undefined if it has none of this name. */
export function memberOf(output: unknown, name: string): unknown {
  return isJsonObject(output) && Object.hasOwn(output, name) ? output[name] : undefined;
}

/** What woke a step, according to its recording; null if there is none. */
export function wakeOf(replaying: Replaying, step: Step, { kind, until }: WaitRequest): Wake | null {
  const { taken, nowMs } = replaying;
  const at = new Date(until ?? nowMs).toISOString();
  if (kind === "time") return { by: "time", at, value: null };
  const entry = taken.get(step.id) ?? nextOf(replaying, step, at);
  if (entry === null) return null;
  taken.set(step.id, entry);
  if ("error" in entry) return { by: entry.error.code === "WAIT_TIMEOUT" ? "time" : kind, at, value: null };
  const { output } = entry;
  if (kind === "event" && !isTimeout(output)) return { by: kind, at: new Date(nowMs).toISOString(), value: output };
  if (kind === "execution") return { by: kind, at, value: { status: "completed", ...asMembers(output) } };
  const timedOutAt = memberOf(output, "timedOutAt");
  if (typeof timedOutAt === "string") return { by: "time", at: timedOutAt, value: null };
  const resumedAt = memberOf(output, "resumedAt");
  const isResumed = typeof resumedAt === "string";
  return { by: kind, at: isResumed ? resumedAt : new Date(nowMs).toISOString(), value: asMembers(output) };
}

/** The recorded outcome for what a step sends. */
export function nextOf(replaying: Replaying, step: Step, at = replaying.run.startedAt): RecordedOutcome | null {
  const entry = takeOf(replaying, step);
  if (entry !== null && isOutcome(entry)) return entry;
  return replaying.injected?.assume(step, at) ?? null;
}

/** The same, or the recording of the sub-flow that it starts. */
export function takeOf({ tape, requests }: Replaying, { id }: Step): RecordedOutcome | SubFlowRecording | null {
  return tape.take(id, requests.get(id));
}

/** The result of a node that waited for an event when none arrived. */
function isTimeout(output: unknown): boolean {
  return typeof memberOf(output, "timedOutAt") === "string" && Object.keys(asMembers(output)).length === 1;
}

function asMembers(output: unknown): object {
  return typeof output === "object" && output !== null ? output : {};
}
