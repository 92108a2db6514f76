import type { Reason } from "#lib/contract/executions/executions.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject, jsonCharacters } from "#lib/engine/json.ts";
import type { NodeError } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";

/** What is recorded of a step, without its data. */
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

const readSteps = `
  SELECT node_id, status, started_at, completed_at, retries, handle, error FROM node_execution
  WHERE execution_id = $1 AND ($2::boolean OR position($3 IN node_id) = 0)
  ORDER BY started_at NULLS FIRST, sequence LIMIT $4`;

/** The steps of a run that began first; those in loops on request. */
export async function recordedSteps(
  executionId: string,
  { withLoops, most }: { readonly withLoops: boolean; readonly most: number },
): Promise<RecordedStep[]> {
  const values = [executionId, withLoops, stepSeparator, most];
  const rows = await query<StepRow>("recorded-steps", readSteps, values);
  return rows.map((row) => ({
    id: row.node_id,
    ...readStepId(row.node_id),
    status: row.status,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    retries: row.retries,
    handle: row.handle,
    error: row.error === null ? null : (JSON.parse(row.error) as NodeError),
  }));
}

/** Larger values are cut: they say why, and are not there to be read whole. */
const valueCharactersMax = 2_000;
const inputBytesMax = 65_536;

const readInputs = `
  SELECT node_id, type, input FROM node_execution
  WHERE execution_id = $1 AND node_id = ANY($2::text[]) AND octet_length(input) <= ${inputBytesMax}`;

/** What steps decided on, by their ids: the value of the setting that decides, where it was an expression. */
export async function decidedOn(executionId: string, stepIds: readonly string[]): Promise<Map<string, unknown>> {
  if (stepIds.length === 0) return new Map();
  const rows = await query<{ node_id: string; type: string; input: string }>("decided-on", readInputs, [
    executionId,
    stepIds,
  ]);
  return new Map(
    rows.flatMap(({ node_id: id, type, input }): [string, unknown][] => {
      const config: unknown = JSON.parse(input);
      const field = nodeDefinition(type)?.decidesBy;
      const value = field !== undefined && isJsonObject(config) ? config[field] : undefined;
      return value === undefined ? [] : [[id, cutValue(value)]];
    }),
  );
}

/** A value as a reason shows it. */
export function cutValue(value: unknown): Reason["value"] {
  if (value === undefined) return null;
  if (typeof value === "string" && value.length > valueCharactersMax) return `${value.slice(0, valueCharactersMax)}…`;
  if (jsonCharacters(value, valueCharactersMax) <= valueCharactersMax) return value;
  return Array.isArray(value) ? `(a list of ${value.length})` : "(a large object)";
}
