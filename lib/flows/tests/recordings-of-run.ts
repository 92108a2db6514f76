import { testLimits } from "#lib/contract/flows/flow-test-document.ts";
import type { Graph } from "#lib/engine/compile.ts";
import { type FlowNode, stepSeparator } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { readStepId } from "#lib/engine/step.ts";
import type { AppError } from "#lib/errors.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { subFlowExecutionId } from "#lib/executions/nodes/node-context.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import { nodeDefinition, nodeTypes } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { isRecorded } from "#lib/replay/backtest.ts";
import { readsFiles } from "#lib/replay/prepare.ts";
import type { RecordedOutcome, Recording, SubFlowRecording } from "#lib/replay/recording.ts";

/** The run that recordings are taken from. */
interface RecordedRun {
  readonly id: string;
  readonly startedAt: Date;
}

interface IterationRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly bytes: number | null;
}

const stepsOfNodes = `
  SELECT node_id, octet_length(output) AS bytes FROM node_execution
  WHERE execution_id = $1 AND split_part(node_id, $2, 1) = ANY($3::text[]) AND status IN ('completed', 'failed')`;

/** How recordings are taken from a run. */
interface Taking {
  readonly owner: string;
  /** Records the nodes of sub-flows instead of the sub-flows' results. */
  readonly deep: boolean;
  readonly refuse: (message: string) => AppError;
}

/** The recordings so far, and the number of runs. */
interface Taken {
  bytes: number;
  runs: number;
}

/** The maximum number of runs in a deep test. */
const runsMax = 100;

/**
 * The results of nodes with an outside effect, and of those that waited; in loops, as a sequence. Throws
 * VALIDATION_ERROR.
 */
export async function recordingsOfRun(
  taking: Taking,
  run: RecordedRun,
  version: CompiledVersion,
  taken: Taken = { bytes: 0, runs: 0 },
): Promise<Record<string, Recording>> {
  const { refuse } = taking;
  const { id: executionId } = run;
  const depths = depthsOf(version.graph);
  const outside = new Map(recordedNodes(version).map((node) => [node.id, node]));
  const values = [executionId, stepSeparator, [...outside.keys()]];
  const rows = await query<IterationRow>("steps-of-nodes", stepsOfNodes, values);
  taken.bytes += rows.reduce((sum, row) => sum + (row.bytes ?? 0), 0);
  if (taken.bytes > testLimits.testCharactersMax) {
    const bytes = taken.bytes.toLocaleString("en-US");
    throw refuse(`the answers from outside are larger than a test can be: ${bytes} bytes`);
  }
  const stepIds = rows.map(({ node_id }) => node_id);
  const outcomes = (await recordedOutcomes([executionId], stepIds)).get(executionId) ?? new Map<string, Outcome>();
  const steps = [...outcomes].flatMap(([id, outcome]) => {
    const { nodeId, iteration } = readStepId(id);
    const turn = turnOf(iteration);
    return turn.length === depths.get(nodeId) ? [{ id, nodeId, iteration, turn, outcome }] : [];
  });
  const recordings: [string, Recording][] = [];
  for (const [nodeId, all] of Map.groupBy(steps, (step) => step.nodeId)) {
    const isCaught = outside.get(nodeId)?.config.onError === "continue";
    const isThrough = taking.deep && nodeTypes.traits(outside.get(nodeId)?.type ?? "")?.waitsFor === "execution";
    await yieldTurn();
    const sequence: (RecordedOutcome | SubFlowRecording)[] = [];
    for (const { id, iteration, outcome } of all.toSorted(inOrder)) {
      const within = isThrough ? await recordingsOfSubFlow(taking, run, id, taken) : null;
      const entries = within === null ? recordedOf(outcome, isCaught) : [within];
      sequence.push(...entries.map((entry) => (iteration === null ? entry : { ...entry, iteration })));
    }
    const [first] = sequence;
    const isRefusable = nodeDefinition(outside.get(nodeId)?.type ?? "")?.mayBeRefused === true;
    if (first === undefined || (isRefusable && !all.some(({ outcome }) => outcome.status === "failed"))) continue;
    recordings.push([nodeId, all.some(({ iteration }) => iteration !== null) ? { sequence } : first]);
  }
  return Object.fromEntries(recordings);
}

const readRun = `
  SELECT id, flow_id, flow_version, started_at FROM execution WHERE id = $1 AND workspace_id = $2`;

interface RunRow extends Record<string, unknown> {
  readonly id: string;
  readonly flow_id: string;
  readonly flow_version: number;
  readonly started_at: Date;
}

/** The recordings of the run that a step started; null if it started none. Throws VALIDATION_ERROR. */
async function recordingsOfSubFlow(
  taking: Taking,
  { id, startedAt }: RecordedRun,
  stepId: string,
  taken: Taken,
): Promise<SubFlowRecording | null> {
  taken.runs += 1;
  if (taken.runs > runsMax) throw taking.refuse(`a deep test is made of at most ${runsMax} runs of sub-flows`);
  const [row] = await query<RunRow>("run-of-step", readRun, [
    subFlowExecutionId({ id, startedAt: iso(startedAt) }, stepId),
    taking.owner,
  ]);
  const version = row === undefined ? null : await loadVersion(row.flow_id, row.flow_version);
  if (row === undefined || version === null) return null;
  const run = { id: row.id, startedAt: row.started_at };
  return { recordings: await recordingsOfRun(taking, run, version, taken) };
}

/** The nodes whose results depend on the outside, random numbers, a secret or a file. */
export function recordedNodes({ allNodes, plan }: Pick<CompiledVersion, "allNodes" | "plan">): FlowNode[] {
  return allNodes.filter((node) => {
    const definition = nodeDefinition(node.type);
    if (definition === undefined || definition.isInternal === true || node.disabled === true) return false;
    if (isRecorded(definition) || definition.mayBeRefused === true) return true;
    return definition.unrepeatable?.(node.config) === true || readsFiles(plan(node));
  });
}

export function recordedOf(outcome: Outcome, isCaught: boolean): RecordedOutcome[] {
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

/**
 * The number of loops around each node, by id. A loop over a flow shares its id with the node that runs the flow: the
 * node's number counts. A node that takes steps is recorded as a whole.
 */
function depthsOf(graph: Graph, depth = 0, depths = new Map<string, number>()): ReadonlyMap<string, number> {
  for (const { node, body } of graph.byId.values()) {
    depths.set(node.id, depth);
    const hasSteps = nodeTypes.traits(node.type)?.steps !== undefined;
    if (body !== null && !hasSteps) depthsOf(body, depth + 1, depths);
  }
  return depths;
}

/** Iterations as numbers, outermost first: `3.0` is [3, 0]. */
function turnOf(iteration: string | null): number[] {
  return iteration === null ? [] : iteration.split(".").map(Number);
}

function inOrder({ turn: a }: { readonly turn: number[] }, { turn: b }: { readonly turn: number[] }): number {
  for (let depth = 0; depth < Math.max(a.length, b.length); depth += 1) {
    const difference = (a[depth] ?? -1) - (b[depth] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
