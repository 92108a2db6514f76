import { type JsonText, jsonText, type NodeError, type Outcome, restoredValue } from "./outcome.ts";

/** What a loop does about a failed item: fail, or continue with the error in the item's place. */
export const itemErrorModes = ["stop", "collect"] as const;

/** A loop that has its items; its body runs for each. */
export interface Iterating {
  readonly status: "iterating";
  readonly items: readonly JsonText[];
  /** Iterations in progress at once. */
  readonly concurrency: number;
  readonly onItemError: (typeof itemErrorModes)[number];
  /** For a node that takes steps: their maximum number. */
  readonly stepsMax?: number;
}

/** An iteration whose node failed. */
interface FailedIteration {
  readonly status: "failed";
  readonly nodeId: string;
  readonly nodeName: string;
  readonly error: NodeError;
}

/** How one iteration ended. `waiting`: it cannot continue yet. `halted`: the run stopped during it. */
export type IterationEnd =
  | { readonly status: "completed"; readonly output: JsonText; readonly isLast?: boolean }
  | FailedIteration
  | { readonly status: "waiting" | "halted" };

/** Takes an item's result; returns the loop's failure once they are too large together. */
export type Collector = (output: JsonText) => NodeError | null;

/**
 * Runs the body for each item, in order, `concurrency` at once. A waiting iteration keeps its slot. A signal tells
 * `iterate` when the loop ends early. Returns the loop's outcome; null if it waits.
 */
export async function runLoop(
  iterating: Iterating,
  iterate: (index: number, signal: AbortSignal, earlier: readonly JsonText[]) => Promise<IterationEnd>,
  collect: Collector = () => null,
): Promise<Outcome | null> {
  if (iterating.stepsMax !== undefined) return await runSteps(iterating.stepsMax, iterate, collect);
  const { items, concurrency, onItemError } = iterating;
  const ends: IterationEnd[] = [];
  const over = new AbortController();
  let [next, refusal]: [number, NodeError | null] = [0, null];
  const lane = async () => {
    while (next < items.length && !over.signal.aborted) {
      const index = next++;
      const end = collectedEnd(await iterate(index, over.signal, []), onItemError);
      ends[index] = end;
      if (end.status === "waiting") return;
      if (end.status === "completed") refusal ??= collect(end.output);
      if (refusal !== null || end.status === "halted" || end.status === "failed") over.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  return refusal === null ? outcomeOf(ends) : { status: "failed", error: refusal };
}

/** Runs steps one after the other, until the last. A failed step fails the node. */
async function runSteps(
  stepsMax: number,
  iterate: Parameters<typeof runLoop>[1],
  collect: Collector,
): Promise<Outcome | null> {
  const { signal } = new AbortController();
  const earlier: JsonText[] = [];
  for (let index = 0; index < stepsMax; index += 1) {
    const end = await iterate(index, signal, earlier);
    if (end.status === "failed") return { status: "failed", error: end.error };
    if (end.status !== "completed") return end.status === "waiting" ? null : { status: "cancelled" };
    const refusal = collect(end.output);
    if (refusal !== null) return { status: "failed", error: refusal };
    earlier.push(end.output);
    if (end.isLast === true) return outputOf(earlier);
  }
  const message = `The node took ${stepsMax} steps without ending`;
  return { status: "failed", error: { message, code: "TOO_MANY_STEPS" } };
}

/** The results as one list. Its value is made when it is read: memory may be short. */
class Collected implements JsonText {
  readonly json: string;
  readonly #outputs: readonly JsonText[];

  constructor(outputs: readonly JsonText[]) {
    this.json = `[${outputs.map(({ json }) => json).join(",")}]`;
    this.#outputs = outputs;
  }

  get value(): unknown {
    return this.#outputs.map(({ value }) => value);
  }

  async restored(): Promise<unknown> {
    const value: unknown[] = [];
    for (const output of this.#outputs) value.push(await restoredValue(output));
    return value;
  }
}

function outputOf(outputs: readonly JsonText[]): Outcome {
  const collected = new Collected(outputs);
  const isAtHand = outputs.every(({ restored }) => restored === undefined);
  const output = isAtHand ? { value: collected.value, json: collected.json } : collected;
  return { status: "completed", output, handle: null };
}

/** How an iteration's end counts for its loop: a collected failure is an output. */
function collectedEnd(end: IterationEnd, onItemError: Iterating["onItemError"]): IterationEnd {
  if (end.status !== "failed" || onItemError === "stop") return end;
  const { nodeId, error } = end;
  return { status: "completed", output: jsonText({ error: { message: error.message, code: error.code, nodeId } }) };
}

function outcomeOf(ends: readonly IterationEnd[]): Outcome | null {
  const failedAt = ends.findIndex(({ status }) => status === "failed");
  const failed = ends[failedAt];
  if (failed?.status === "failed") return { status: "failed", error: itemError(failedAt, failed) };
  if (ends.some(({ status }) => status === "halted")) return { status: "cancelled" };
  if (ends.some(({ status }) => status === "waiting")) return null;
  return outputOf(ends.flatMap((end) => (end.status === "completed" ? [end.output] : [])));
}

function itemError(index: number, { nodeName, error }: FailedIteration): NodeError {
  return { message: `Item ${index} failed at "${nodeName}": ${error.message}`, code: error.code };
}
