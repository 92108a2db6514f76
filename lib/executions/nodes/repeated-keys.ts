// Which Idempotency-Key a step sends: its own or, in a retry, the original's for the same request.
import { createHash } from "node:crypto";
import { stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { idempotencyKey, readStepId, type Step } from "#lib/engine/step.ts";
import type { Run } from "#lib/executions/run.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { query } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { loadVersion } from "./compiled-version.ts";
import { keptInputBytesMax } from "./node-output.ts";

/** The number of steps for which a retry stores what the original sent; it looks the others up there. */
const stepsMax = 1_000;
/** Steps whose inputs are read together: 64 KiB each at most. */
const stepsAtOnce = 100;

/**
 * What a retry knows about earlier runs. Stored when the retry is created, so that its keys do not depend on those
 * runs.
 */
export interface RepeatedKeys {
  /**
   * The run whose keys are sent if it is unknown what it sent. Null if this run's version or data differ: it then sends
   * its own.
   */
  readonly owner: string | null;
  readonly sent: ReadonlyMap<string, OriginalSend>;
  /** True if more was or may have been sent than is stored here: the original was still in progress. */
  readonly isOpen: boolean;
}

interface OriginalSend {
  /** The run whose key the request carried. */
  readonly owner: string;
  /** Of the request; null if that is not recorded. */
  readonly digest: string | null;
}

const ownKeys: RepeatedKeys = { owner: null, sent: new Map(), isOpen: false };

/** A run that sends or has sent requests. */
interface Sender {
  readonly id: string;
  readonly originalId: string | null;
}

/** Whether a retry sends its original's keys: if the original did not complete, unless the caller chose otherwise. */
export function repeatsKeys(originalStatus: string, requested: unknown): boolean {
  return requested === "same" || (requested !== "new" && originalStatus !== "completed");
}

/**
 * What a retry of this run stores to send its keys again. `isSameWork`: both run the same version on the same data. An
 * unrecorded request (its process died after sending it, or it is too large) counts as the same one: better a receiver
 * that refuses a key with a different request than one that acts twice.
 */
export async function keysToRepeat(original: FoundExecution, isSameWork: boolean): Promise<string> {
  const before = readKeys(original.repeatedKeys);
  const by = { id: original.id, originalId: original.originalExecutionId };
  const sent = new Map<string, OriginalSend>();
  let isCut = false;
  for await (const row of stepsThatSent(original)) {
    isCut = sent.size === stepsMax;
    if (isCut) break;
    const digest = digestOf(await sentInRun(row, row.node_id));
    sent.set(row.node_id, { owner: await ownerOf(before, by, row.node_id, digest), digest });
    await yieldTurn();
  }
  for (const [stepId, known] of before.sent) {
    if (sent.has(stepId)) continue;
    if (sent.size < stepsMax) sent.set(stepId, known);
    else isCut = true;
  }
  const all = [...sent].filter(([, { digest }]) => isSameWork || digest !== null);
  return JSON.stringify({
    owner: isSameWork ? (before.owner ?? original.id) : null,
    sent: all.map(([stepId, { owner, digest }]) => [stepId, owner, digest]),
    isOpen: isCut || before.isOpen || original.completedAt === null,
  });
}

const readSteps = `
  SELECT node_id, input FROM node_execution
  WHERE execution_id = $1 AND started_at IS NOT NULL AND split_part(node_id, $2, 1) = ANY($3::text[]) AND node_id > $4
  ORDER BY node_id LIMIT $5`;

/** The steps of a run that may have sent something with a key. */
async function* stepsThatSent({ id, flowId, flowVersion }: FoundExecution) {
  const version = await loadVersion(flowId, flowVersion);
  const keyed = (version?.allNodes ?? []).filter(({ type }) => nodeDefinition(type)?.sends !== undefined);
  if (keyed.length === 0) return;
  const ids = keyed.map((node) => node.id);
  let after = "";
  for (;;) {
    const values = [id, stepSeparator, ids, after, stepsAtOnce];
    const rows = await query<{ node_id: string; input: string | null }>("steps-that-sent", readSteps, values);
    for (const row of rows) yield { ...row, flow_id: flowId, flow_version: flowVersion };
    after = rows.at(-1)?.node_id ?? after;
    if (rows.length < stepsAtOnce) return;
  }
}

/** Keys of the runs that this process drives, read once. */
const keysOfRuns = new WeakMap<Run, Promise<RepeatedKeys>>();

async function keysOf(run: Run): Promise<RepeatedKeys> {
  const known = keysOfRuns.get(run);
  if (known !== undefined) return await known;
  const read = readKeysOf(run.id);
  keysOfRuns.set(run, read);
  // A failed read is repeated next time.
  read.catch(() => keysOfRuns.delete(run));
  return await read;
}

async function readKeysOf(executionId: string): Promise<RepeatedKeys> {
  const text = "SELECT repeated_keys FROM execution WHERE id = $1";
  const [row] = await query<{ repeated_keys: string | null }>("repeated-keys", text, [executionId]);
  return readKeys(row?.repeated_keys ?? null);
}

/** What a run has stored about earlier runs. */
export function readKeys(text: string | null): RepeatedKeys {
  if (text === null) return ownKeys;
  const { owner, sent, isOpen } = JSON.parse(text) as Omit<RepeatedKeys, "sent"> & {
    sent: [string, string, string | null][];
  };
  return { owner, isOpen, sent: new Map(sent.map(([stepId, by, digest]) => [stepId, { owner: by, digest }])) };
}

/** The key that a step of a run sends with a request. `resolved`: its config. */
export async function keyToSend(run: Run, step: Step, resolved: JsonObject): Promise<string> {
  if (run.originalId === null) return idempotencyKey(run.id, step.id);
  const { node } = step.node;
  const isKept = jsonBytes(resolved, keptInputBytesMax) <= keptInputBytesMax;
  // Masked, as the original's record is.
  const sent = isKept ? sentBy(node.type, run.mask.value(resolved) as JsonObject) : null;
  return idempotencyKey(await ownerOf(await keysOf(run), run, step.id, digestOf(sent)), step.id);
}

/** The key that a stored run's step sent; null if what it sent is not recorded. */
export async function keySent(
  keys: RepeatedKeys,
  { id, originalExecutionId: originalId }: FoundExecution,
  stepId: string,
  sent: JsonObject | null,
): Promise<string> {
  return idempotencyKey(await ownerOf(keys, { id, originalId }, stepId, digestOf(sent)), stepId);
}

/** The run whose key a request carries: the earliest that sent the same, with no different request in between. */
async function ownerOf(keys: RepeatedKeys, by: Sender, stepId: string, digest: string | null): Promise<string> {
  const before = await sentBefore(keys, by, stepId);
  if (before === "nothing") return by.id;
  if (before === "unknown") return keys.owner ?? by.id;
  const isKnown = before.digest !== null && digest !== null;
  const isSame = isKnown ? before.digest === digest : keys.owner !== null;
  return isSame ? before.owner : by.id;
}

const readOriginal = `
  SELECT e.flow_id, e.flow_version, e.original_execution_id, e.completed_at IS NOT NULL AS has_ended, n.node_id, n.input
  FROM execution e
  LEFT JOIN node_execution n ON n.execution_id = e.id AND n.node_id = $2 AND n.started_at IS NOT NULL
  WHERE e.id = $1`;

interface OriginalStep extends RecordedSend {
  readonly [column: string]: unknown;
  readonly original_execution_id: string | null;
  readonly has_ended: boolean;
  /** Null if the run did not get to the step. */
  readonly node_id: string | null;
}

/** What a step sent in earlier runs: from the stored keys, or from the original's records. */
async function sentBefore(
  keys: RepeatedKeys,
  { originalId }: Sender,
  stepId: string,
): Promise<OriginalSend | "nothing" | "unknown"> {
  const stored = keys.sent.get(stepId);
  if (!keys.isOpen || (stored !== undefined && stored.digest !== null)) return stored ?? "nothing";
  if (originalId === null) return stored ?? "unknown";
  const [row] = await query<OriginalStep>("step-of-original", readOriginal, [originalId, stepId]);
  if (row === undefined) return stored ?? "unknown";
  const original = { id: originalId, originalId: row.original_execution_id };
  const before = await keysBefore(keys, originalId);
  if (row.node_id !== null) {
    const digest = digestOf(await sentInRun(row, stepId));
    return { owner: await ownerOf(before, original, stepId, digest), digest };
  }
  // It may still get there.
  if (!row.has_ended) return stored ?? "unknown";
  return stored ?? (await sentBefore(before, original, stepId));
}

/** The keys of the originals of runs, read once. */
const keysOfOriginals = new WeakMap<RepeatedKeys, RepeatedKeys>();

async function keysBefore(keys: RepeatedKeys, originalId: string): Promise<RepeatedKeys> {
  const known = keysOfOriginals.get(keys);
  if (known !== undefined) return known;
  const read = await readKeysOf(originalId);
  keysOfOriginals.set(keys, read);
  return read;
}

function digestOf(sent: JsonObject | null): string | null {
  if (sent === null) return null;
  return createHash("sha256").update(JSON.stringify(sent, inOrder)).digest("base64url");
}

/** Makes the order of an object's members irrelevant. */
function inOrder(_: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface RecordedSend {
  readonly flow_id: string;
  readonly flow_version: number;
  readonly input: string | null;
}

/** What a step of a run sent, if recorded. Without expressions, the config is that of its version. */
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
