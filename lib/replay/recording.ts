import { stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { readStepId } from "#lib/engine/step.ts";

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
