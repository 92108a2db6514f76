import type { z } from "zod";
import { recordWith } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { idempotencies, retryPlan } from "#lib/contract/executions/retries.ts";
import { settleBranches } from "#lib/engine/branches.ts";
import { ancestorsOf, descendantsOf, type GraphNode } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import { leavesBy } from "#lib/engine/run.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { type CompiledVersion, compileVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { keysToRepeat, repeatsKeys } from "#lib/executions/nodes/repeated-keys.ts";
import { findExecution, versionOf } from "#lib/executions/read-execution.ts";
import type { TriggerData } from "#lib/executions/run.ts";
import { draftSource } from "#lib/executions/search/execution-filter.ts";
import { type StartedFlow, triggerText } from "#lib/executions/store/new-execution.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import type { FoundExecution } from "#lib/executions/store/run-row.ts";
import { nodeColumns } from "#lib/executions/store/store-columns.ts";
import { requireSoundGraph } from "#lib/flows/flow-problems.ts";
import { definitionOfDraft, draftToRun } from "#lib/flows/working-copy/run-draft.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { database, type RunStatement } from "#lib/platform/database.ts";
import { namesOf } from "#lib/platform/rows-parameter.ts";
import { nodesBeyond, storePresetNodes } from "./preset-nodes.ts";
import { type PreparedRun, prepareRun, queueTogether } from "./queue-run.ts";
import { ReplaySafety } from "./replay-safety.ts";
import type { Caller } from "./start-run.ts";

type Idempotency = (typeof idempotencies)[number];

interface RetryRequest {
  readonly overrideData?: JsonObject | null | undefined;
  readonly fromNode?: string | null | undefined;
  /** With `fromNode`: nodes after this one do not run. */
  readonly untilNode?: string | null | undefined;
  /** Default: the working copy if the original ran it, otherwise the published version. */
  readonly version?: "published" | "draft" | null | undefined;
  /** Which keys its requests send; by default the original's if the original did not complete. */
  readonly idempotency?: Idempotency | null | undefined;
}

/** A retry ready to be stored. `along` writes the outcomes that it reuses together with its record. */
export interface PreparedRetry extends PreparedRun {
  readonly along: (run: RunStatement) => Promise<void>;
}

/**
 * Prepares a new execution of the flow's current version with an earlier execution's input, or from one of its nodes
 * with the earlier outputs. Throws NOT_FOUND (also if the flow is gone) and VALIDATION_ERROR (`fromNode`, `untilNode`).
 */
export async function prepareRetry(
  actor: Actor,
  id: string,
  given: RetryRequest,
  caller: Caller,
  newId?: string,
): Promise<PreparedRetry> {
  const original = await findExecution(actor, id);
  const flow = await flowToRetry(actor, original, given.version ?? null);
  const version = flow && (await loadVersion(flow.id, flow.version));
  if (flow === null || version === null) throw notFound("Flow");
  const fromNode = given.fromNode ?? null;
  const kept = fromNode === null ? null : await nodesToKeep(original.id, version, fromNode);
  const untilNode = given.untilNode ?? null;
  const beyond = untilNode === null ? [] : nodesBeyond(version.graph, untilNode);
  if (fromNode !== null && beyond.includes(fromNode)) {
    const details = { untilNode: `it must follow fromNode: no edge leads from "${fromNode}" to "${untilNode}"` };
    throw new AppError("VALIDATION_ERROR", "The execution cannot be retried like this", { details });
  }

  const earlier = (await parseOwnJson(original.trigger)) as TriggerData;
  const known = new Set([...(kept?.done ?? []), ...(kept?.skipped ?? [])]);
  const skipped = beyond.filter((nodeId) => !known.has(nodeId));
  // Decided once: the original may still be in progress, and may end or be deleted before the retry runs.
  const isRepeating = repeatsKeys(original.status, given.idempotency);
  const prepared = await prepareRun(flow, {
    ...(newId === undefined ? {} : { id: newId }),
    triggerType: original.triggerType,
    trigger: await triggerText({ ...earlier, body: given.overrideData ?? earlier.body }),
    source: "retry",
    metadata: { idempotency: isRepeating ? "same" : "new" },
    ...caller,
    originalExecutionId: original.id,
    fromNode: fromNode ?? untilNode,
  });
  const { id: executionId, flowVersion, trigger } = prepared.execution;
  const isSameWork = flowVersion === original.flowVersion && trigger === original.trigger;
  const keys = isRepeating ? await keysToRepeat(original, isSameWork) : null;
  const along = async (run: RunStatement) => {
    if (keys !== null)
      await run("keep-keys", "UPDATE execution SET repeated_keys = $2 WHERE id = $1", [executionId, keys]);
    if (kept !== null) await copyKept(run, original.id, executionId, version, kept);
    if (skipped.length > 0) await storePresetNodes(run, executionId, version, { skipped, pinned: {} });
  };
  return { ...prepared, along };
}

/**
 * The flow as a retry runs it: its current version; for a run of a working copy, the current working copy or, if there
 * is none any more, the one that ran. Null if the flow is gone.
 */
async function flowToRetry(
  { workspaceId }: Pick<Actor, "workspaceId">,
  original: Pick<FoundExecution, "flowId" | "flowVersion" | "source">,
  requestedVersion: RetryRequest["version"] = null,
): Promise<StartedFlow | null> {
  const flow = await database().flow.findFirst({ where: { id: original.flowId, workspaceId } });
  const isOfDraft = original.source === draftSource;
  if (flow === null || (requestedVersion ?? (isOfDraft ? "draft" : "published")) === "published") return flow;
  const draft = await draftToRun(flow);
  if (draft !== null) return draft;
  if (isOfDraft) return { ...flow, version: original.flowVersion, isDraft: true };
  const details = { version: "the flow has no working copy" };
  throw new AppError("VALIDATION_ERROR", "The execution cannot be retried like this", { details });
}

const { execution_id: _, ...recorded } = nodeColumns;
const copyNodes = `
  INSERT INTO node_execution (execution_id, ${namesOf(recorded)})
  SELECT $2, ${namesOf(recorded)} FROM node_execution WHERE execution_id = $1 AND node_id = ANY($3::text[])
  UNION ALL
  SELECT $2, n.id, n.position, n.name, n.type, 'skipped', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL
  FROM unnest($4::text[], $5::int[], $6::text[], $7::text[]) AS n(id, position, name, type)
  RETURNING node_id`;

/** Throws NOT_FOUND if the original has been deleted meanwhile. */
async function copyKept(
  run: RunStatement,
  originalId: string,
  executionId: string,
  { graph }: CompiledVersion,
  kept: KeptNodes,
): Promise<void> {
  const nodes = kept.skipped.flatMap((id) => graph.byId.get(id) ?? []);
  const columns = [
    nodes.map(({ node }) => node.id),
    nodes.map(({ index }) => index),
    nodes.map(({ node }) => node.name),
    nodes.map(({ node }) => node.type),
  ];
  const copied = await run("copy-nodes", copyNodes, [originalId, executionId, kept.done, ...columns]);
  if (copied.length < kept.done.length + nodes.length) throw notFound("Execution");
}

interface Retried {
  readonly executionId: string;
  readonly originalExecutionId: string;
  readonly status: "running";
  readonly startedAt: string;
}

/**
 * Retries one execution (see `prepareRetry`). The run, the outcomes it reuses and the audit log entry are stored
 * together.
 */
export async function retryExecution(actor: Actor, id: string, given: RetryRequest, caller: Caller) {
  const { once } = actor;
  if (once?.made) return once.made as Retried;
  const retry = await prepareRetry(actor, id, given, caller, once?.executionId);
  const { id: executionId, startedAt } = retry.execution;
  const retried: Retried = { executionId, originalExecutionId: id, status: "running", startedAt };
  const after = { count: 1, executionId, ...(given.fromNode && { fromNode: given.fromNode }) };
  await queueTogether([retry], {
    before: async (run) => await once?.keep(run, retried),
    after: async (run) => {
      await retry.along(run);
      await recordWith(run, actor, { action: "executions.retried", id, after });
    },
  });
  return retried;
}

type RetryPlan = z.output<typeof retryPlan>;

/** What a retry would reuse and run. Throws NOT_FOUND (also if the flow is gone). */
export async function planRetry(
  actor: Actor,
  id: string,
  fromNode: string | null,
  idempotency: Idempotency | null = null,
): Promise<RetryPlan> {
  const original = await findExecution(actor, id);
  const flow = await database().flow.findFirst({ where: { id: original.flowId, workspaceId: actor.workspaceId } });
  if (flow === null) throw notFound("Flow");
  const { flowVersion: originalVersion } = await versionOf(original);
  // A working copy may have changed without a new version.
  const isDraft = original.source === draftSource;
  const shown = { flowVersion: isDraft ? originalVersion : flow.version, originalVersion };
  try {
    const version = isDraft ? await draftToPlan(original) : await loadVersion(flow.id, flow.version);
    if (version === null) throw notFound("Flow");
    const safety = await ReplaySafety.of(original, version.graph.order, idempotency);
    const nodesBy = async (planOf: (nodeId: string) => RetryPlan["nodes"][number]["plan"]) => {
      const nodes: RetryPlan["nodes"] = [];
      for (const graphNode of version.graph.order) {
        const { id: nodeId, name: nodeName } = graphNode.node;
        const plan = planOf(nodeId);
        nodes.push({ nodeId, nodeName, plan, ...(await safety.of(graphNode, plan)) });
      }
      return nodes;
    };
    if (fromNode === null) return { ...shown, problem: null, nodes: await nodesBy(() => "runs") };
    const { done, skipped } = await nodesToKeep(original.id, version, fromNode);
    const planOf = (nodeId: string) =>
      done.includes(nodeId) ? "reused" : skipped.includes(nodeId) ? "skipped" : "runs";
    return { ...shown, problem: null, nodes: await nodesBy(planOf) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") throw error;
    const [[path, reason] = ["fromNode", error.message]] = Object.entries(error.details ?? {});
    const problem = path === "fromNode" ? String(reason) : `the working copy is not valid (${path}: ${String(reason)})`;
    return { ...shown, problem, nodes: [] };
  }
}

/** The version that a retry of a working copy's run would run, without storing it. Throws VALIDATION_ERROR. */
async function draftToPlan({ flowId, flowVersion }: FoundExecution): Promise<CompiledVersion | null> {
  const definition = await definitionOfDraft(flowId);
  if (definition === null) return await loadVersion(flowId, flowVersion);
  requireSoundGraph(definition);
  return compileVersion(definition, settleBranches(definition.nodes, definition.edges, nodeTypes.traits));
}

/** What is reused from the original: the outcomes of nodes before and beside `fromNode`. */
interface KeptNodes {
  readonly done: readonly string[];
  /** Nodes that the new run skips because the original did not reach them. */
  readonly skipped: readonly string[];
}

/** What a run from this node reuses from an earlier one. Throws VALIDATION_ERROR (`fromNode`). */
async function nodesToKeep(originalId: string, { graph }: CompiledVersion, fromNode: string): Promise<KeptNodes> {
  if (!graph.byId.has(fromNode)) throw invalidFromNode(`there is no node "${fromNode}" in the flow`);
  const outcomes = (await recordedOutcomes([originalId])).get(originalId) ?? new Map<string, Outcome>();
  // An uncaught failure ended the original: no edge leads on from its node.
  for (const [id, outcome] of outcomes) {
    if (outcome.status === "failed" && graph.byId.get(id)?.catches !== true) outcomes.delete(id);
  }
  const ancestors = new Set(ancestorsOf(graph, fromNode));
  const isReached = ({ incoming }: GraphNode) =>
    incoming.length === 0 ||
    incoming.some((edge) => edge.source === triggerSource || leavesBy(outcomes.get(edge.source), edge.handle));
  const needed = graph.order.filter((node) => ancestors.has(node.node.id) && isReached(node));
  const missing = needed.filter((node) => !outcomes.has(node.node.id)).map((node) => `"${node.node.id}"`);
  if (missing.length > 0 || !isReached(graph.byId.get(fromNode) as GraphNode)) {
    const reason = missing.length > 0 ? `has no output of ${missing.join(", ")}` : "did not get to it";
    throw invalidFromNode(`the original execution ${reason}`);
  }
  const following = descendantsOf(graph, fromNode);
  const others = [...graph.byId.keys()].filter((id) => !following.has(id));
  return { done: others.filter((id) => outcomes.has(id)), skipped: others.filter((id) => !outcomes.has(id)) };
}

function invalidFromNode(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The execution cannot be retried from this node", {
    details: { fromNode: message },
  });
}
