import type { Actor } from "#lib/auth/actor.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { expectationOf } from "#lib/replay/comparison/expectation.ts";
import { readsFiles } from "#lib/replay/prepare.ts";
import type { Replayed, ReplayInput } from "#lib/replay/replay.ts";
import type { TestData } from "./flow-tests.ts";
import { recordingsOfRun } from "./recordings-of-run.ts";
import { replayInTurn } from "./replay-places.ts";

const oneReplayMs = 10_000;

/** A run that a request names, and the field that names it. */
interface GivenRun {
  readonly id: string;
  readonly field: string;
  /** Sub-flows are replayed too. */
  readonly deep?: boolean;
}

/**
 * Makes a test from a run: its input, the answers from outside, and its version's replayed result. That is what the run
 * did, apart from what differs in every run, such as the time. Throws VALIDATION_ERROR for a partial run, a run that
 * has not ended, or one that replays differently.
 */
export async function testOfRun(
  actor: Actor,
  flow: { readonly id: string; readonly name: string },
  { id, field, deep = false }: GivenRun,
): Promise<{ readonly name: string; readonly data: TestData }> {
  const invalid = (message: string) => noTest(field, message);
  const row = await findExecution(actor, id).catch((error: unknown) => {
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
  const { workspaceId: owner } = actor;
  const recordings = await recordingsOfRun({ owner, deep, refuse: invalid }, row, version);
  const input: ReplayInput = {
    trigger: triggerOf(row.trigger),
    now: iso(row.startedAt),
    recordings,
    ...(deep ? { deep } : {}),
  };
  const replayed = await replayInTurn({ owner, flow, version, input, msMax: oneReplayMs }, invalid);
  if (replayed.status !== row.status) {
    const detail = replayed.failure === null ? "" : `: ${replayed.failure.error.message}`;
    throw invalid(`it ${row.status}, but ${replayed.status} when replayed${detail}`);
  }
  await requireSameStatuses(row, version, replayed, invalid);
  const name = `Run of ${iso(row.startedAt).replace("T", " ").replace("Z", " UTC")}`;
  return { name, data: { ...input, expect: expectationOf(replayed, recordings) } };
}

/** A stored trigger, as the input of a replay. */
export function triggerOf(text: string): ReplayInput["trigger"] {
  const { body = {}, headers = {}, query = {}, method = "POST" } = JSON.parse(text);
  return { body, headers, query, method };
}

/** A loop over a flow has a step for each item under its own id: the loop's own result counts. */
const statusesOfNodes = `
  SELECT split_part(node_id, $2, 1) AS node_id, coalesce(
    bool_or(status = 'failed') FILTER (WHERE strpos(node_id, $2) = 0), bool_or(status = 'failed')) AS has_failed
  FROM node_execution WHERE execution_id = $1 AND status IN ('completed', 'failed') GROUP BY 1`;

interface StatusRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly has_failed: boolean;
}

/**
 * Throws VALIDATION_ERROR if a node ended differently in the replay. If a failure or a stop cut the run short, timing
 * decided how far parallel nodes got, so only nodes that ended in both are compared.
 */
async function requireSameStatuses(
  row: FoundExecution,
  { graph, plan }: CompiledVersion,
  { nodes, parts }: Replayed,
  invalid: (message: string) => AppError,
): Promise<void> {
  const rows = await query<StatusRow>("statuses-of-nodes", statusesOfNodes, [row.id, stepSeparator]);
  const recorded = new Map(rows.map((status) => [status.node_id, status.has_failed ? "failed" : "completed"]));
  const isCutShort = row.status === "failed" || graph.order.some(({ node, ends }) => ends && recorded.has(node.id));
  // A loop that reads files is replayed as a whole.
  const fileReaders = new Set(
    [...graph.byId.values()].filter(({ node }) => readsFiles(plan(node))).map(({ node }) => node.id),
  );
  const inFileReaders = new Set(
    parts.filter(({ within }) => within.some((id) => fileReaders.has(id))).map(({ nodeId }) => nodeId),
  );
  for (const [id, { status }] of nodes) {
    if (inFileReaders.has(id)) continue;
    const now = status === "completed" || status === "failed" ? status : "skipped";
    const then = recorded.get(id) ?? "skipped";
    if (now === then || (isCutShort && (now === "skipped" || then === "skipped"))) continue;
    throw invalid(`"${id}" was ${then} in the run, and is ${now} when it is replayed`);
  }
}

function noTest(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The run cannot become a test", { details: { [field]: message } });
}
