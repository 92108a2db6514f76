import type { Reason } from "#lib/contract/executions/executions.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import type { NodeError } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";

/** A step's record without its data. */
export interface RecordedStep {
  readonly id: string;
  readonly nodeId: string;
  /** `3.0`; null outside of loops. */
  readonly iteration: string | null;
  readonly status: string;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly retries: number;
  readonly handle: string | null;
  readonly error: NodeError | null;
}

interface StepRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly status: string;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly retries: number;
  readonly handle: string | null;
  readonly error: string | null;
}

/** Longer errors are left out; with many steps, shorter ones too, because all are read at once. */
const errorBytesMax = 8_192;
const allErrorsBytesMax = 8_388_608;
/** Larger configs are not read to find the value behind a decision. */
const inputBytesMax = 4_096;
/** Configs that are read at once: 1 MiB at most. */
const inputsAtOnce = 256;

const readSteps = `
  SELECT node_id, status, started_at, completed_at, retries, handle,
    CASE WHEN octet_length(error) <= $5::int THEN error END AS error
  FROM node_execution
  WHERE execution_id = $1 AND (position($3 IN node_id) > 0) = $2::boolean
  ORDER BY started_at NULLS FIRST, sequence LIMIT $4`;

/** The first steps of a run to start: those of the flow itself, or those in loops. */
export async function recordedSteps(
  executionId: string,
  { inLoops, most }: { readonly inLoops: boolean; readonly most: number },
): Promise<RecordedStep[]> {
  const errorBytes = Math.min(errorBytesMax, Math.floor(allErrorsBytesMax / Math.max(1, most)));
  const values = [executionId, inLoops, stepSeparator, most, errorBytes];
  const rows = await query<StepRow>("recorded-steps", readSteps, values);
  const steps: RecordedStep[] = [];
  for (const row of rows) {
    await yieldTurn();
    steps.push(stepOf(row));
  }
  return steps;
}

function stepOf(row: StepRow): RecordedStep {
  return {
    id: row.node_id,
    ...readStepId(row.node_id),
    status: row.status,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    retries: row.retries,
    handle: row.handle,
    error: row.error === null ? null : (JSON.parse(row.error) as NodeError),
  };
}

/** Longer values are truncated: the beginning is enough to explain why. */
const valueCharactersMax = 2_000;

const readInputs = `
  SELECT node_id, type, input FROM node_execution
  WHERE execution_id = $1 AND node_id = ANY($2::text[]) AND octet_length(input) <= ${inputBytesMax}`;

/**
 * The values behind decisions, by step id: that of the deciding setting, if it was an expression, truncated to
 * `charactersMax`.
 */
export async function decidedOn(
  executionId: string,
  stepIds: readonly string[],
  charactersMax = valueCharactersMax,
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (let from = 0; from < stepIds.length; from += inputsAtOnce) {
    const ids = stepIds.slice(from, from + inputsAtOnce);
    for (const { node_id: id, type, input } of await query<InputRow>("decided-on", readInputs, [executionId, ids])) {
      await yieldTurn();
      const config: unknown = JSON.parse(input);
      const field = nodeDefinition(type)?.decidesBy;
      const value = field !== undefined && isJsonObject(config) ? config[field] : undefined;
      if (value !== undefined) found.set(id, cutValue(value, charactersMax));
    }
  }
  return found;
}

interface InputRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly type: string;
  readonly input: string;
}

/** A value as a reason shows it. */
export function cutValue(value: unknown, charactersMax = valueCharactersMax): Reason["value"] {
  if (value === undefined) return null;
  if (typeof value === "string" && value.length > charactersMax) return `${value.slice(0, charactersMax)}…`;
  if (jsonCharacters(value, charactersMax) <= charactersMax) return value;
  return Array.isArray(value) ? `(a list of ${value.length})` : "(a large object)";
}
