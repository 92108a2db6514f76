import { isJsonObject } from "#lib/engine/json.ts";

/** What a node with an outside effect came to. */
export type RecordedOutcome =
  | { readonly output: unknown }
  | { readonly error: { readonly message: string; readonly code: string } };

/** The same of several attempts or iterations, in order; the last one repeats. */
export type Recording = RecordedOutcome | { readonly sequence: readonly RecordedOutcome[] };

/** Hands out what is recorded of each node, one after the other. */
export class Tape {
  readonly #recordings: Readonly<Record<string, Recording>>;
  readonly #places = new Map<string, number>();

  constructor(recordings: Readonly<Record<string, Recording>>) {
    this.#recordings = recordings;
  }

  /** Null for a node that has no recording. */
  next(nodeId: string): RecordedOutcome | null {
    const recording = Object.hasOwn(this.#recordings, nodeId) ? this.#recordings[nodeId] : undefined;
    if (recording === undefined) return null;
    if (!("sequence" in recording)) return recording;
    const place = this.#places.get(nodeId) ?? 0;
    this.#places.set(nodeId, place + 1);
    return recording.sequence[Math.min(place, recording.sequence.length - 1)] ?? null;
  }
}

/** A member of a recorded output; undefined where the output has no members, or not this one. */
export function memberOf(output: unknown, name: string): unknown {
  return isJsonObject(output) && Object.hasOwn(output, name) ? output[name] : undefined;
}
