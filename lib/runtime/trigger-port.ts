import { checkCaller } from "#lib/credentials/check-caller.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { loadVersion } from "#lib/executions/compiled-version.ts";
import { insertExecution } from "#lib/executions/insert-execution.ts";
import { newExecution } from "#lib/executions/new-execution.ts";
import { findTrigger, type TriggeredFlow } from "#lib/flows/find-trigger.ts";
import { env } from "#lib/platform/env.ts";
import { dispatch } from "./dispatch.ts";
import type { RunEnd } from "./drive-run.ts";
import { endWithin, runHere } from "./run-here.ts";
import { worker } from "./worker.ts";

/** A call to a trigger URL, read. */
interface Call {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  readonly method: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly respondAtOnce: boolean;
}

async function find(hookId: string) {
  const flow = await findTrigger(hookId);
  const version = flow && (await loadVersion(flow.id, flow.version));
  return flow && version ? { flow, trigger: version.definition.trigger, status: flow.status } : null;
}

type CheckedRequest = { readonly headers: Parameters<typeof checkCaller>[2]["headers"] };

function authenticate(flow: TriggeredFlow, trigger: FlowTrigger, request: CheckedRequest, rawBody: Buffer) {
  return checkCaller(flow, trigger.config, { headers: request.headers, body: rawBody });
}

/** Starts the flow; waits for its end unless the caller or the trigger wants an answer at once. */
async function start(flow: TriggeredFlow, call: Call): Promise<{ executionId: string; end: RunEnd | null }> {
  const { body, headers, query, method, ip, userAgent, respondAtOnce } = call;
  const request = {
    triggerType: "webhook",
    trigger: { body, headers, query, method },
    source: "webhook" as const,
    ip,
    userAgent,
  };
  if (respondAtOnce) {
    const execution = newExecution(flow, { ...request, leaseOwner: null });
    await insertExecution(execution);
    await dispatch();
    return { executionId: execution.id, end: null };
  }
  const version = await loadVersion(flow.id, flow.version);
  if (version === null) throw notFound("Webhook");
  worker();
  const run = await runHere(flow, version, request);
  return { executionId: run.executionId, end: (await endWithin(env().syncWaitMs, run.end)) ?? null };
}

/** What stands behind trigger URLs. */
export const triggerPort = { find, authenticate, start };
