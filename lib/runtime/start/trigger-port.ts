import { LRUCache } from "lru-cache";
import { checkCaller } from "#lib/credentials/check-caller.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { findTrigger, type TriggeredFlow } from "#lib/flows/find-trigger.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { RunEnd } from "#lib/runtime/drive/drive-run.ts";
import { queueRun } from "./queue-run.ts";
import { startRun } from "./start-run.ts";

/** A parsed call to a trigger URL. */
interface Call {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  readonly method: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly respondAtOnce: boolean;
}

interface Found {
  readonly flow: TriggeredFlow;
  readonly trigger: FlowTrigger;
  readonly status: string;
}

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
  const now = { flow, trigger: version.definition.trigger, status: flow.status };
  found().set(hookId, now);
  return now;
}

interface Started {
  readonly executionId: string;
  readonly end: RunEnd | null;
}

type CheckedRequest = { readonly headers: Parameters<typeof checkCaller>[2]["headers"] };

function authenticate(flow: TriggeredFlow, trigger: FlowTrigger, request: CheckedRequest, rawBody: Buffer) {
  return checkCaller(flow, trigger.config, { headers: request.headers, body: rawBody });
}

/**
 * Starts the flow and waits for its end, unless the caller or the trigger wants an answer at once. Null if the flow has
 * changed since it was cached: nothing was started.
 */
async function start(flow: TriggeredFlow, call: Call): Promise<Started | null> {
  try {
    return await startAsFound(flow, call);
  } catch (error) {
    // By name: another bundle's copy may have thrown it.
    if (error instanceof Error && error.name === "StaleFlow") return null;
    throw error;
  }
}

async function startAsFound(flow: TriggeredFlow, call: Call): Promise<Started> {
  const { body, headers, query, method, ip, userAgent, respondAtOnce } = call;
  const request = {
    triggerType: "webhook",
    trigger: { body, headers, query, method },
    source: "webhook" as const,
    ip,
    userAgent,
  };
  if (respondAtOnce) return { executionId: (await queueRun(flow, request)).executionId, end: null };
  const version = await loadVersion(flow.id, flow.version);
  if (version === null) throw notFound("Webhook");
  const run = await startRun(flow, version, request);
  return { executionId: run.executionId, end: await run.end };
}

/** Behind the trigger URLs. */
export const triggerPort = { recall, find, authenticate, start };
