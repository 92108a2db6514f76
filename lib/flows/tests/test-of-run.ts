import type { Actor } from "#lib/auth/actor.ts";
import { testLimits } from "#lib/contract/flows/flow-test-document.ts";
import { flowLimits, stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import { AppError } from "#lib/errors.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { expectationOf } from "#lib/replay/expectation.ts";
import type { RecordedOutcome, Recording } from "#lib/replay/recording.ts";
import { type Replayed, type ReplayInput, replay } from "#lib/replay/replay.ts";
import type { TestData } from "./flow-tests.ts";
import { replayPlaces } from "./replay-places.ts";

const oneReplayMs = 10_000;

/**
 * The test that a run makes: what started it, what came back from outside, and what its version comes to over these. That
 * is what the run did, but for what no two runs have in common, such as the time of day. Throws VALIDATION_ERROR for a
 * run that was not all of a flow, has not ended, or comes to something else when it is replayed.
 */
export async function testOfRun(
  actor: Actor,
  flow: { readonly id: string; readonly name: string },
  executionId: string,
): Promise<{ readonly name: string; readonly data: TestData }> {
  const row = await findExecution(actor, executionId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  });
  if (row === null || row.flowId !== flow.id) throw invalid("there is no such run of this flow");
  if (row.status !== "completed" && row.status !== "failed") {
    throw invalid(`only a run that has completed or failed makes a test: this one is ${row.status}`);
  }
  if (row.fromNode !== null) throw invalid("only a run of the whole flow makes a test: this one was of a part");
  const version = await loadVersion(flow.id, row.flowVersion);
  if (version === null) throw invalid("the version that it ran is gone");
  const recordings = await recordingsOf(row.id, version);
  const input: ReplayInput = { trigger: triggerOf(row.trigger), now: iso(row.startedAt), recordings };
  const around = { flowName: flow.name, sandbox: runSignals().sandbox(), owner: actor.workspaceId };
  const replayed = await replayPlaces().take(actor.workspaceId, async () => {
    const signal = AbortSignal.timeout(oneReplayMs);
    return await replay(version, input, { ...around, signal }).catch((error: unknown) => {
      if (signal.aborted) throw invalid(`it takes longer than ${oneReplayMs / 1_000} seconds to replay`);
      throw error;
    });
  });
  const [missing] = replayed.notRecorded;
  if (missing !== undefined) throw invalid(`nothing is recorded of "${missing}"`);
  if (replayed.status !== row.status) {
    const why = replayed.failure === null ? "" : `: ${replayed.failure.error.message}`;
    throw invalid(`it ${row.status}, and comes to ${replayed.status} when it is replayed${why}`);
  }
  await requireSameStatuses(row, version, replayed);
  const name = `Run of ${iso(row.startedAt)}`.slice(0, flowLimits.nameCharactersMax);
  return { name, data: { ...input, expect: expectationOf(replayed, recordings) } };
}

function triggerOf(text: string): ReplayInput["trigger"] {
  const { body = {}, headers = {}, query = {}, method = "POST" } = JSON.parse(text);
  return { body, headers, query, method };
}

const statusesOfNodes = `
  SELECT split_part(node_id, $2, 1) AS node_id, bool_or(status = 'failed') AS has_failed
  FROM node_execution WHERE execution_id = $1 AND status IN ('completed', 'failed') GROUP BY 1`;

interface StatusRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly has_failed: boolean;
}

/**
 * Throws VALIDATION_ERROR where a node ended otherwise in the run than when it is replayed. Where a run was cut short, by a
 * failure or a stop, chance decided how far the nodes beside it came: only those that ended in both are compared.
 */
async function requireSameStatuses(
  row: ExecutionModel,
  { graph }: CompiledVersion,
  { nodes }: Replayed,
): Promise<void> {
  const rows = await query<StatusRow>("statuses-of-nodes", statusesOfNodes, [row.id, stepSeparator]);
  const recorded = new Map(rows.map((one) => [one.node_id, one.has_failed ? "failed" : "completed"]));
  const isCutShort = row.status === "failed" || graph.order.some(({ node, ends }) => ends && recorded.has(node.id));
  for (const [id, { status }] of nodes) {
    const now = status === "completed" || status === "failed" ? status : "skipped";
    const then = recorded.get(id) ?? "skipped";
    if (now === then || (isCutShort && (now === "skipped" || then === "skipped"))) continue;
    throw invalid(`"${id}" was ${then} in the run, and is ${now} when it is replayed`);
  }
}

interface IterationRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly bytes: number | null;
}

const stepsOfNodes = `
  SELECT node_id, octet_length(output) AS bytes FROM node_execution
  WHERE execution_id = $1 AND split_part(node_id, $2, 1) = ANY($3::text[]) AND status IN ('completed', 'failed')`;

/** What nodes with an outside effect, and those that waited, came to; in loops one after the other. */
async function recordingsOf(executionId: string, { allNodes }: CompiledVersion): Promise<Record<string, Recording>> {
  const outside = new Map(allNodes.filter(isRecorded).map((node) => [node.id, node]));
  const values = [executionId, stepSeparator, [...outside.keys()]];
  const rows = await query<IterationRow>("steps-of-nodes", stepsOfNodes, values);
  const bytes = rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  if (bytes > testLimits.testCharactersMax) {
    throw invalid(`what came back from outside is more than a test may hold: ${bytes.toLocaleString("en-US")} bytes`);
  }
  const stepIds = rows.map(({ node_id }) => node_id);
  const outcomes = (await recordedOutcomes([executionId], stepIds)).get(executionId) ?? new Map<string, Outcome>();
  const steps = [...outcomes].map(([id, outcome]) => ({ ...readStepId(id), outcome })).toSorted(inOrder);
  const recordings: [string, Recording][] = [];
  for (const [nodeId, all] of Map.groupBy(steps, (step) => step.nodeId)) {
    const isCaught = outside.get(nodeId)?.config.onError === "continue";
    const sequence = all.flatMap(({ iteration, outcome }) =>
      recordedOf(outcome, isCaught).map((entry) => (iteration === null ? entry : { ...entry, iteration })),
    );
    const [first] = sequence;
    if (first === undefined) continue;
    recordings.push([nodeId, all.some(({ iteration }) => iteration !== null) ? { sequence } : first]);
  }
  return Object.fromEntries(recordings);
}

/** A delay has no outcome but its time. */
function isRecorded({ type }: CompiledVersion["allNodes"][number]): boolean {
  const definition = nodeDefinition(type);
  return definition !== undefined && definition.effect !== "none" && definition.waitsFor !== "time";
}

function recordedOf(outcome: Outcome, isCaught: boolean): RecordedOutcome[] {
  if (outcome.status === "failed") {
    const { message, code } = outcome.error;
    return [{ error: { message, code } }];
  }
  if (outcome.status !== "completed") return [];
  const { value } = outcome.output;
  const error = isCaught && isJsonObject(value) && Object.keys(value).length === 1 ? value.error : undefined;
  if (isJsonObject(error) && typeof error.message === "string" && typeof error.code === "string") {
    return [{ error: { message: error.message, code: error.code } }];
  }
  return [{ output: value }];
}

interface Turn {
  readonly iteration: string | null;
}

function inOrder(one: Turn, other: Turn): number {
  const [a, b] = [one, other].map(({ iteration }) => (iteration ?? "").split(".").map(Number)) as [number[], number[]];
  for (let depth = 0; depth < Math.max(a.length, b.length); depth += 1) {
    const difference = (a[depth] ?? -1) - (b[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

function invalid(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The run makes no test", { details: { fromExecutionId: message } });
}
