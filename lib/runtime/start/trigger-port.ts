import { LRUCache } from "lru-cache";
import { checkCaller } from "#lib/credentials/check-caller.ts";
import { notFound } from "#lib/errors.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { TriggerText } from "#lib/executions/run.ts";
import { triggerText, triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { deleteFiles } from "#lib/files/delete-files.ts";
import { saveFile } from "#lib/files/save-file.ts";
import { findTrigger, type TriggeredFlow } from "#lib/flows/find-trigger.ts";
import { smallBodyBytes } from "#lib/http/trigger/call-body.ts";
import type { FoundTrigger, StartedRun, TriggerPort } from "#lib/http/trigger/trigger.ts";
import type { TriggerCall } from "#lib/http/trigger/trigger-call.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { queueRun } from "./queue-run.ts";
import { startRun } from "./start-run.ts";

type Found = FoundTrigger<TriggeredFlow>;

const flowsKept = 1_000;
const found = () => singleton("found-triggers", () => new LRUCache<string, Found>({ max: flowsKept }));

/** The cached flow. It may be stale: a run created from it is stored only if it is not. */
function recall(hookId: string): Found | null {
  return found().get(hookId) ?? null;
}

async function find(hookId: string): Promise<Found | null> {
  const flow = await findTrigger(hookId);
  const version = flow && (await loadVersion(flow.id, flow.version));
  if (!flow || !version) {
    found().delete(hookId);
    return null;
  }
  const now = { flow, trigger: version.definition.trigger, name: flow.name, status: flow.status };
  found().set(hookId, now);
  return now;
}

const authenticate: TriggerPort<TriggeredFlow>["authenticate"] = (flow, trigger, { headers }, body) =>
  checkCaller(flow, trigger.config, { headers, body });

/**
 * Starts the flow and waits for its end, unless the caller or the trigger wants an answer at once. Null if nothing was
 * started because the flow has changed since it was cached.
 */
async function start(flow: TriggeredFlow, call: TriggerCall): Promise<StartedRun | null> {
  try {
    return await startFlow(flow, call);
  } catch (error) {
    // Compares the name: another bundle's copy may have thrown it.
    if (error instanceof Error && error.name === "StaleFlow") return null;
    throw error;
  }
}

async function startFlow(flow: TriggeredFlow, call: TriggerCall): Promise<StartedRun> {
  const { type, ip, userAgent, respondAtOnce } = call;
  const request = { triggerType: type, trigger: await triggerOf(call), source: type, ip, userAgent };
  if (respondAtOnce) return { executionId: (await queueRun(flow, request)).executionId, end: null };
  const version = await loadVersion(flow.id, flow.version);
  if (version === null) throw notFound("Webhook");
  const run = await startRun(flow, version, request);
  return { executionId: run.executionId, end: await run.end };
}

/** A separate function, so that no frame keeps the body's value while the run is in progress. */
async function triggerOf({ body, bodyBytes, headers, query, method }: TriggerCall): Promise<TriggerText> {
  if (bodyBytes <= smallBodyBytes) return triggerTextOf({ body: body(), headers, query, method });
  return await triggerText({ body: await body(), headers, query, method });
}

/** The port behind the trigger URLs. */
export const triggerPort = {
  recall,
  find,
  authenticate,
  start,
  saveFile: (flow, file) => saveFile(flow.workspaceId, file),
  dropFiles: async (flow, ids) => void (await deleteFiles(flow.workspaceId, ids)),
} satisfies TriggerPort<TriggeredFlow>;
