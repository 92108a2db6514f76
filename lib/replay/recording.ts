import { stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { readStepId } from "#lib/engine/step.ts";

/** What a node with an outside effect came to. */
export type RecordedOutcome =
  | { readonly output: unknown }
  | { readonly error: { readonly message: string; readonly code: string } };

/** One of several; of a run's own loop, with the iteration that it is of: `3`, within a loop `3.0`. */
type Entry = RecordedOutcome & { readonly iteration?: string };

/**
 * The same of several attempts or iterations, in order; the last one repeats. Each iteration of a loop takes one, and its
 * attempts the same.
 */
export type Recording = RecordedOutcome | { readonly sequence: readonly Entry[] };

/** Hands out what is recorded of each node, one after the other. */
export class Tape {
  readonly #recordings: Readonly<Record<string, Recording>>;
  readonly #places = new Map<string, number>();
  /** What the steps of iterations took, by step. */
  readonly #taken = new Map<string, Entry | null>();
  /** What is recorded of the steps of iterations, by step, where that is told. */
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

  /** Null for a step of a node that has no recording. */
  next(stepId: string): RecordedOutcome | null {
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

/** A member of a recorded output; undefined where the output has no members, or not this one. */
export function memberOf(output: unknown, name: string): unknown {
  return isJsonObject(output) && Object.hasOwn(output, name) ? output[name] : undefined;
}
