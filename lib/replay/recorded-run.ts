import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { idempotencyKey, readStepId } from "#lib/engine/step.ts";
import type { Recorded, RecordedOutcome } from "./recording.ts";
import { replayIds } from "./replay.ts";

/** What a run got from outside, by step. */
export type RecordedSteps = ReadonlyMap<string, RecordedOutcome>;

/** For a replay by the run's own version: each step gets what it got then. */
export function asRecorded(steps: RecordedSteps): Recorded {
  return { take: (stepId) => steps.get(stepId) ?? null };
}

/**
 * The size of requests, in characters, that are compared across iterations; beyond it, each is compared only with its
 * own.
 */
const indexedCharactersMax = 4 * 1_048_576;

/** A step's outcome, and what it sent. */
interface Sent {
  readonly request: unknown;
  readonly outcome: RecordedOutcome;
}

/**
 * For a replay by another version: a step gets a recorded answer if it sends the recorded request. In a loop, another
 * item may have sent it.
 */
export class SameRequests implements Recorded {
  readonly #steps: RecordedSteps;
  readonly #requests: ReadonlyMap<string, unknown>;
  #byNode: ReadonlyMap<string, ReadonlyMap<string, RecordedOutcome>> | undefined;

  /** `requests`: what the steps sent in the run, by step id. */
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

/** A request as text, without the step's own idempotency key. */
function textOf(stepId: string, request: unknown): string {
  if (!isJsonObject(request) || !isJsonObject(request.headers)) return JSON.stringify(request) ?? "";
  const own = idempotencyKey(replayIds.execution, stepId);
  const headers = Object.entries(request.headers).filter(([, value]) => value !== own);
  return JSON.stringify({ ...request, headers: Object.fromEntries(headers) });
}

/** Whether two JSON values are equal, whatever the order of members. Undefined equals missing. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameValue(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameValue(a[key], b[key]));
}
