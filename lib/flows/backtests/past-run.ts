import { settleBranches } from "#lib/engine/branches.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import type { NodeError, Outcome } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import { type CompiledVersion, compileVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { readJournal } from "#lib/executions/store/folded-journal.ts";
import type { NodeRecord } from "#lib/executions/store/node-record.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import { parseDefinition } from "#lib/flows/definition.ts";
import { recordedNodes, recordedOf } from "#lib/flows/tests/recordings-of-run.ts";
import { triggerOf } from "#lib/flows/tests/test-of-run.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { yieldAfter } from "#lib/platform/turns.ts";
import type { PastRun } from "#lib/replay/backtest.ts";
import type { RecordedOutcome } from "#lib/replay/recording.ts";
import type { Compared } from "./compare-past-run.ts";

/** A run with the version that it ran, or why it cannot be compared. */
export type ReadRun = { readonly run: PastRun; readonly version: CompiledVersion } | { readonly reason: string };

/** The size of the answers from outside in one run; a larger run is not compared. */
const recordedBytesMax = 16 * 1_048_576;

const find = `
  SELECT flow_id, flow_version, status, trigger, started_at, journal FROM execution
  WHERE id = $1 AND workspace_id = $2`;

interface Row {
  readonly flow_id: string;
  readonly flow_version: number;
  readonly status: string;
  readonly trigger: string;
  readonly started_at: Date;
  readonly journal: string | null;
}

/** Reads a run's records without unfolding it. */
export async function readPastRun(workspaceId: string, executionId: string): Promise<ReadRun> {
  const [row] = await query<Row & Record<string, unknown>>("past-run", find, [executionId, workspaceId]);
  if (row === undefined) return { reason: "The run was deleted" };
  if (row.status !== "completed" && row.status !== "failed") return { reason: `The run is ${row.status}` };
  const version = await loadVersion(row.flow_id, row.flow_version);
  if (version === null) return { reason: "The version that it ran is gone" };
  const nodes = new Map(recordedNodes(version).map((node) => [node.id, node]));
  const outcomes = nodes.size === 0 ? [] : await outcomesOf(executionId, row.journal, nodes);
  if (outcomes === null) return { reason: "What came back from outside is too large to be compared" };
  const steps = outcomes.flatMap(([id, outcome]): [string, RecordedOutcome][] => {
    const isCaught = nodes.get(readStepId(id).nodeId)?.config.onError === "continue";
    return recordedOf(outcome, isCaught).map((recorded) => [id, recorded]);
  });
  await yieldAfter(row.trigger.length);
  const { status } = row;
  return { version, run: { status, trigger: triggerOf(row.trigger), now: iso(row.started_at), steps: new Map(steps) } };
}

type Named = ReadonlyMap<string, unknown>;

async function outcomesOf(executionId: string, journal: string | null, nodes: Named) {
  if (journal === null) return await storedOutcomes(executionId, nodes);
  await yieldAfter(journal.length);
  const records = (await readJournal(executionId, journal)).nodes;
  const named = records.filter(({ nodeId }) => nodes.has(readStepId(nodeId).nodeId));
  return named.flatMap(({ nodeId, ...record }) => outcomeOf(nodeId, record));
}

type Ended = Pick<NodeRecord, "status" | "output" | "error" | "handle">;

function outcomeOf(stepId: string, { status, output, error, handle }: Ended): [string, Outcome][] {
  if (status === "failed") return [[stepId, { status, error: JSON.parse(error ?? "{}") as NodeError }]];
  if (status !== "completed") return [];
  const json = output ?? "null";
  return [[stepId, { status, output: { value: JSON.parse(json), json }, handle }]];
}

interface StepRow extends Ended, Record<string, unknown> {
  readonly node_id: string;
  readonly bytes: string;
}

/** Outputs up to this size together are parsed at once; otherwise each is parsed in turns. */
const smallBytesMax = 131_072;

const readSmall = `
  WITH step AS (
    SELECT node_id, status, output, error, handle, sum(coalesce(octet_length(output), 0)) OVER () AS bytes
    FROM node_execution
    WHERE execution_id = $1 AND split_part(node_id, $2, 1) = ANY($3::text[]) AND status IN ('completed', 'failed'))
  SELECT node_id, status, CASE WHEN bytes <= ${smallBytesMax} THEN output END AS output, error, handle, bytes FROM step`;

/** Null if they are too large. */
async function storedOutcomes(executionId: string, nodes: Named): Promise<[string, Outcome][] | null> {
  const rows = await query<StepRow>("past-steps", readSmall, [executionId, stepSeparator, [...nodes.keys()]]);
  const bytes = Number(rows[0]?.bytes ?? 0);
  if (bytes <= smallBytesMax) return rows.flatMap((row) => outcomeOf(row.node_id, row));
  if (bytes > recordedBytesMax) return null;
  const stepIds = rows.map(({ node_id: id }) => id);
  return [...((await recordedOutcomes([executionId], stepIds)).get(executionId) ?? [])];
}

/** The parts of a stored backtest that name its target. */
interface StoredTarget {
  readonly workspaceId: string;
  readonly flowId: string;
  readonly definition: string;
}

/** The version that a backtest compares runs with, prepared for replays. */
export async function targetOfBacktest({ workspaceId, flowId, definition }: StoredTarget): Promise<Compared> {
  await yieldAfter(definition.length);
  const { nodes, edges, variables } = parseDefinition(definition);
  const branches = settleBranches(nodes, edges, nodeTypes.traits);
  const target = compileVersion({ trigger: { type: "manual", config: {} }, nodes, edges, variables }, branches);
  await target.planAll(workspaceId);
  const flow = await database().flow.findUnique({ where: { id: flowId }, select: { name: true } });
  return { workspaceId, flowName: flow?.name ?? "", target };
}
