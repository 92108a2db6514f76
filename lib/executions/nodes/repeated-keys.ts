// Which Idempotency-Key a step sends: its own; or in a retry that of the run before, for the same request.
import { isDeepStrictEqual } from "node:util";
import { idempotencyKey } from "#lib/engine/idempotency-key.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { readStepId, type Step } from "#lib/engine/step.ts";
import type { Run } from "#lib/executions/run.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { loadVersion } from "./compiled-version.ts";
import { keptInputBytesMax } from "./node-output.ts";

/** Retries of retries that are looked at. */
const runsMax = 20;

interface OriginalRow extends Record<string, unknown> {
  readonly id: string;
  readonly status: string;
  readonly flow_id: string;
  readonly flow_version: number;
  /** The metadata of the retry: what its caller asked for. */
  readonly metadata: string;
  readonly is_reached: boolean;
  /** Whether both ran the same version on the same data. */
  readonly is_same_work: boolean;
  readonly input: string | null;
}

const readOriginal = `
  SELECT o.id, o.status, o.flow_id, o.flow_version, e.metadata, n.node_id IS NOT NULL AS is_reached, n.input,
    o.flow_version = e.flow_version AND o.trigger = e.trigger AS is_same_work
  FROM execution e JOIN execution o ON o.id = e.original_execution_id AND o.workspace_id = e.workspace_id
  LEFT JOIN node_execution n ON n.execution_id = o.id AND n.node_id = $2 AND n.started_at IS NOT NULL
  WHERE e.id = $1`;

/** Whether a retry sends the keys of its original: when that did not complete, unless its caller said otherwise. */
export function repeatsKeys(originalStatus: string, asked: unknown): boolean {
  return asked === "same" || (asked !== "new" && originalStatus !== "completed");
}

/** The key that a step of a run sends with a request. `resolved`: its config. */
export async function keyToSend(run: Run, step: Step, resolved: JsonObject): Promise<string> {
  if (run.originalId === null) return idempotencyKey(run.id, step.id);
  const { node } = step.node;
  const isKept = jsonBytes(resolved, keptInputBytesMax) <= keptInputBytesMax;
  // What is stored of the original is masked, and so is this.
  const sent = isKept ? sentBy(node.type, run.mask.value(resolved) as JsonObject) : null;
  return await keySent(run.id, step.id, sent);
}

/**
 * The key that a run sends with what a step sends: that of the earliest run, on the way of retries back, that did the same
 * without a different one in between. Where what was sent is not recorded (a process died after it, or it is too large:
 * null), the same version and data count as the same: a receiver that refuses a key with another request is better than
 * one that does something twice.
 */
export async function keySent(executionId: string, stepId: string, sent: JsonObject | null): Promise<string> {
  let [at, owner] = [executionId, executionId];
  let isSameWork = true;
  for (let count = 0; count < runsMax; count += 1) {
    const [row] = await query<OriginalRow>("original-of-retry", readOriginal, [at, stepId]);
    if (row === undefined || !repeatsKeys(row.status, JSON.parse(row.metadata).idempotency)) break;
    isSameWork &&= row.is_same_work;
    if (row.is_reached) {
      const before = await sentInRun(row, stepId);
      const isSame = before === null || sent === null ? isSameWork : isDeepStrictEqual(before, sent);
      if (!isSame) break;
      owner = row.id;
    }
    at = row.id;
  }
  return idempotencyKey(owner, stepId);
}

interface RecordedSend {
  readonly flow_id: string;
  readonly flow_version: number;
  readonly input: string | null;
}

/** What a step of a run sent, as far as it is recorded. A config without expressions is that of its version. */
export async function sentInRun({ flow_id, flow_version, input }: RecordedSend, stepId: string) {
  const version = await loadVersion(flow_id, flow_version);
  const { nodeId } = readStepId(stepId);
  const node = version?.allNodes.find(({ id }) => id === nodeId);
  if (node === undefined) return null;
  if (input !== null) {
    const config: unknown = JSON.parse(input);
    return isJsonObject(config) ? sentBy(node.type, config) : null;
  }
  return version?.plan(node).slots.length === 0 ? sentBy(node.type, node.config) : null;
}

/** The part of a config that is sent. */
function sentBy(type: string, config: JsonObject): JsonObject {
  const fields = nodeDefinition(type)?.sends ?? Object.keys(config);
  return Object.fromEntries(fields.flatMap((field) => (field in config ? [[field, config[field] ?? null]] : [])));
}
