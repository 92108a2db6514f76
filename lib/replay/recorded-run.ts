import { idempotencyKey } from "#lib/engine/idempotency-key.ts";
import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { readStepId } from "#lib/engine/step.ts";
import type { Recorded, RecordedOutcome } from "./recording.ts";
import { replayIds } from "./replay.ts";

/** What came back from outside in a run, by step. */
export type RecordedSteps = ReadonlyMap<string, RecordedOutcome>;

/** A run as its own version did it: each step finds what it found then. */
export function asItWas(steps: RecordedSteps): Recorded {
  return { take: (stepId) => steps.get(stepId) ?? null };
}

/** Requests that are compared with those of other iterations, in characters: of more, each is compared with its own. */
const indexedCharactersMax = 4 * 1_048_576;

/** A step of the run, and what it sent. */
interface Sent {
  readonly request: unknown;
  readonly outcome: RecordedOutcome;
}

/**
 * A run as another version does it: a step finds what was recorded where it sends what was sent. In a loop the same
 * request may have been another item's.
 */
export class SameRequests implements Recorded {
  readonly #steps: RecordedSteps;
  readonly #requests: ReadonlyMap<string, unknown>;
  #byNode: ReadonlyMap<string, ReadonlyMap<string, RecordedOutcome>> | undefined;

  /** `requests`: what the steps sent in the run, by their ids. */
  constructor(steps: RecordedSteps, requests: ReadonlyMap<string, unknown>) {
    this.#steps = steps;
    this.#requests = requests;
  }

  take(stepId: string, request: unknown): RecordedOutcome | null {
    const own = this.#steps.get(stepId);
    if (own !== undefined && isSameValue(this.#requests.get(stepId), request)) return own;
    const { nodeId } = readStepId(stepId);
    this.#byNode ??= this.#index();
    return this.#byNode.get(nodeId)?.get(textOf(stepId, request)) ?? null;
  }

  hasFailed(stepId: string): boolean {
    const own = this.#steps.get(stepId);
    return own !== undefined && "error" in own;
  }

  #index() {
    const byNode = new Map<string, Map<string, RecordedOutcome>>();
    let left = indexedCharactersMax;
    for (const { stepId, request, outcome } of this.#sent()) {
      left -= jsonCharacters(request, left);
      if (left <= 0) break;
      const { nodeId } = readStepId(stepId);
      const known = byNode.get(nodeId) ?? new Map<string, RecordedOutcome>();
      const text = textOf(stepId, request);
      if (!known.has(text)) known.set(text, outcome);
      byNode.set(nodeId, known);
    }
    return byNode;
  }

  *#sent(): Generator<Sent & { readonly stepId: string }> {
    for (const [stepId, outcome] of this.#steps) {
      if (this.#requests.has(stepId)) yield { stepId, request: this.#requests.get(stepId), outcome };
    }
  }
}

/** A request as text, without the key that each step has of its own. */
function textOf(stepId: string, request: unknown): string {
  if (!isJsonObject(request) || !isJsonObject(request.headers)) return JSON.stringify(request) ?? "";
  const own = idempotencyKey(replayIds.execution, stepId);
  const headers = Object.entries(request.headers).filter(([, value]) => value !== own);
  return JSON.stringify({ ...request, headers: Object.fromEntries(headers) });
}

/** Whether two JSON values say the same; the order of members does not count. A missing one is like undefined. */
function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameValue(item, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key], other[key]));
}
