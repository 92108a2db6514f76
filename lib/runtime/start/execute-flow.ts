import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { executeFlow as executeFlowEndpoint } from "#lib/contract/flows/flows.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { JsonText, Outcome } from "#lib/engine/outcome.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { TriggerText } from "#lib/executions/run.ts";
import { type StartedFlow, triggerText } from "#lib/executions/store/new-execution.ts";
import { draftToRun } from "#lib/flows/working-copy/run-draft.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { isId } from "#lib/platform/ids.ts";
import type { RunEnd } from "#lib/runtime/drive/drive-run.ts";
import { awaitEnd } from "./await-end.ts";
import { partialRun, storePresetNodes } from "./preset-nodes.ts";
import { prepareRun, type QueuedRun, queueRun, queueTogether } from "./queue-run.ts";
import { type Caller, startRun } from "./start-run.ts";

type ExecuteBody = z.output<(typeof executeFlowEndpoint)["body"]>;
type Body = Omit<ExecuteBody, "version"> & Partial<Pick<ExecuteBody, "version">>;

/**
 * Runs a flow, whatever its status: synchronously (200), or in the background (202). A run that stops at one node or
 * uses pinned outputs always runs in the background. Throws NOT_FOUND, VALIDATION_ERROR, and CONCURRENCY_LIMIT if the
 * flow's limit refused a synchronous run.
 */
export async function executeFlow(actor: Actor, id: string, body: Body, caller: Caller) {
  const { once } = actor;
  if (once?.made) return await executedBefore(id, body, once.made as QueuedRun);
  const flow = await chooseVersion(await findStartedFlow(actor, id), body.version);
  const version = await loadVersion(id, flow.version);
  if (version === null) throw unknownVersion(`the flow has no version ${flow.version}`);
  const request = {
    triggerType: "manual",
    trigger: await takeTrigger(body),
    source: actor.by.kind === "user" ? ("ui" as const) : ("api" as const),
    ip: caller.ip,
    userAgent: caller.userAgent,
    metadata: body.metadata as JsonObject,
  };
  const partial = partialRun(version.graph, flow.isDraft === true ? "draft" : flow.status, body);
  if (partial !== null) {
    const fromNode = body.untilNode ?? Object.keys(partial.pinned)[0] ?? null;
    const own = once === undefined ? {} : { id: once.executionId };
    const prepared = await prepareRun(flow, { ...request, ...own, fromNode });
    const { id: executionId, startedAt } = prepared.execution;
    await queueTogether([prepared], {
      before: async (run) => await once?.keep(run, { executionId, startedAt }),
      after: (run) => storePresetNodes(run, executionId, version, partial),
    });
    return accepted(id, { executionId, startedAt });
  }
  if (body.async) return accepted(id, await queueRun(flow, request, once));
  const run = await startRun(flow, version, request, once);
  const end = await run.end;
  if (end === null) return accepted(id, run);
  return answerOf(id, run, end, version);
}

/**
 * Takes the data out of the body: the run keeps it, and may let it go. The request and its body live until the answer, and
 * with them all that they hold.
 */
function takeTrigger(body: Body): Promise<TriggerText> {
  const { data } = body;
  body.data = {};
  return triggerText({ body: data, headers: {}, query: {}, method: "POST" });
}

/** The answer for the run that an earlier request with the same key started: its result, if the caller waits for it. */
async function executedBefore(flowId: string, body: Body, run: QueuedRun) {
  if (body.async) return accepted(flowId, run);
  const row = await database().execution.findUnique({
    where: { id: run.executionId },
    select: { flowVersion: true, fromNode: true },
  });
  const version = row && row.fromNode === null ? await loadVersion(flowId, row.flowVersion) : null;
  const end = version && (await awaitEnd(run.executionId, version, env().syncWaitMs));
  if (version === null || end === null) return accepted(flowId, run);
  return answerOf(flowId, run, end, version);
}

async function findStartedFlow(actor: Actor, id: string): Promise<StartedFlow & { readonly status: string }> {
  if (!isId("flow", id)) throw notFound("Flow");
  const flow = await database().flow.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (flow === null) throw notFound("Flow");
  return flow;
}

/** The flow with the version to run. Throws VALIDATION_ERROR if there is no working copy. */
async function chooseVersion<Flow extends StartedFlow>(
  flow: Flow,
  version: ExecuteBody["version"] = "published",
): Promise<Flow> {
  if (version === "published") return flow;
  if (version !== "draft") return { ...flow, version };
  const draft = await draftToRun(flow);
  if (draft === null) throw unknownVersion("the flow has no working copy");
  return draft;
}

function unknownVersion(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The flow cannot be run like this", { details: { version: message } });
}

function accepted(flowId: string, { executionId, startedAt }: QueuedRun) {
  return { payload: { executionId, status: "running" as const, startedAt, flowId }, status: 202 };
}

/** Throws CONCURRENCY_LIMIT. */
function answerOf(flowId: string, run: QueuedRun, end: RunEnd, { definition }: CompiledVersion) {
  if (end.refusal !== null) {
    throw new AppError("CONCURRENCY_LIMIT", end.refusal, { details: { executionId: run.executionId } });
  }
  const summary = {
    executionId: run.executionId,
    flowId,
    status: end.status,
    startedAt: run.startedAt,
    completedAt: end.completedAt,
    duration: Math.max(0, Date.parse(end.completedAt) - Date.parse(run.startedAt)),
    ...(end.error === null ? {} : { error: end.error }),
  };
  const nodes = definition.nodes.map(({ id: nodeId }) => {
    const outcome = end.outcomes.get(nodeId);
    return { nodeId, status: outcome?.status ?? ("skipped" as const), output: visible(outcome) };
  });
  const characters = nodes.reduce((sum, { output }) => sum + (output?.json.length ?? 0), end.output?.json.length ?? 0);
  if (characters > writtenAgainMax) return { chunks: answerText(summary, end.output, nodes), status: 200 };
  const payload = {
    ...summary,
    output: end.output?.value ?? null,
    nodes: nodes.map((node) => ({ ...node, output: node.output?.value ?? null })),
  };
  return { payload, status: 200 };
}

/** Larger outputs are sent as their stored text, without serializing them again. */
const writtenAgainMax = 65_536;

type ShownNode = { readonly nodeId: string; readonly status: Outcome["status"]; readonly output: JsonText | null };

async function* answerText(summary: object, output: JsonText | null, nodes: readonly ShownNode[]) {
  yield `${JSON.stringify(summary).slice(0, -1)},"output":${output?.json ?? "null"},"nodes":[`;
  for (const [index, { output: own, ...node }] of nodes.entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(node).slice(0, -1)},"output":${own?.json ?? "null"}}`;
  }
  yield "]}";
}

function visible(outcome: Outcome | undefined): JsonText | null {
  return outcome?.status === "completed" ? outcome.output : null;
}
