import { type JsonText, type Outcome, restoredValue } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import type { NodeRecord } from "#lib/executions/store/node-record.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { type Drift, driftOf } from "./drift.ts";
import { type Budget, learn, newShape } from "./learn-from-value.ts";
import { type FlowShapes, noShapes, shapeOfNode } from "./version-types.ts";

/** The parts of an ended run to learn from. */
export interface EndedRun {
  readonly flowId: string;
  readonly version: number;
  readonly trigger: JsonText;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** Limits on what is sampled and learned from one run, however many nodes it has. */
const runLimits = { values: 5_000, places: 2_000 } as const;
/** Larger outputs are not sampled: listing the keys of an object takes time proportional to its size. */
const outputCharactersMax = 2 * 1_048_576;
/** Small outputs in a loop's body are sampled in the first iterations. */
const iterationsMax = 5;
const bodyOutputCharactersMax = 65_536;

/** The shapes of one run's data. `records`: its stored steps. */
export async function shapesOf({ trigger, outcomes }: EndedRun, records: readonly NodeRecord[]): Promise<FlowShapes> {
  const own = newShape();
  const shapes: FlowShapes = { ...noShapes(), runs: 1, trigger: own };
  const budget: Budget = { ...runLimits };
  learn(own, await restoredValue(trigger), budget);
  for (const [id, outcome] of outcomes) {
    if (!isSampled(outcome)) continue;
    await yieldTurn();
    learnOutput(shapes, id, outcome.output.value, budget);
  }
  const iterations = new Map<string, number>();
  for (const { nodeId: stepId, status, output } of records) {
    if (budget.values <= 0) break;
    const { nodeId, iteration } = readStepId(stepId);
    if (iteration === null || status !== "completed" || output === null || outcomes.has(nodeId)) continue;
    const count = iterations.get(nodeId) ?? 0;
    if (count >= iterationsMax || output.length > bodyOutputCharactersMax) continue;
    iterations.set(nodeId, count + 1);
    await yieldTurn();
    learnOutput(shapes, nodeId, JSON.parse(output), budget);
  }
  return shapes;
}

function learnOutput(shapes: FlowShapes, nodeId: string, value: unknown, budget: Budget): void {
  // A node without samples does not count as seen.
  if (budget.values <= 0 || budget.places <= 0) return;
  const isNew = !shapes.nodes.has(nodeId);
  const shape = shapeOfNode(shapes, nodeId);
  if (shape === null) return;
  if (isNew) budget.places -= 1;
  learn(shape, value, budget);
}

/** The drift of a run from 100 or more earlier ones; the trigger first, then nodes in the order of the run. */
export function driftOfRun(
  { trigger, nodes }: FlowShapes,
  run: EndedRun,
): (Drift & { readonly nodeId: string | null }) | null {
  const budget = { values: runLimits.values };
  const body = trigger?.fields.get("body");
  const isRead = body !== undefined && run.trigger.json.length <= outputCharactersMax;
  const drift = isRead ? driftOf(body, bodyOf(run.trigger.value), "trigger.body", budget) : null;
  if (drift !== null) return { nodeId: null, ...drift };
  for (const [nodeId, outcome] of run.outcomes) {
    if (budget.values <= 0) return null;
    const shape = nodes.get(nodeId);
    if (shape === undefined || !isSampled(outcome)) continue;
    const found = driftOf(shape, outcome.output.value, `nodes.${nodeId}.output`, budget);
    if (found !== null) return { nodeId, ...found };
  }
  return null;
}

function isSampled(outcome: Outcome): outcome is Extract<Outcome, { status: "completed" }> {
  return outcome.status === "completed" && outcome.output.json.length <= outputCharactersMax;
}

function bodyOf(trigger: unknown): unknown {
  return (trigger as { readonly body?: unknown } | null)?.body;
}
