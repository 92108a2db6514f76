import type { Actor } from "#lib/auth/actor.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { JsonText } from "#lib/engine/outcome.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { triggerText } from "#lib/executions/store/new-execution.ts";
import { database } from "#lib/platform/database.ts";
import type { RunEnd } from "#lib/runtime/drive/drive-run.ts";
import { type Caller, startRun } from "./start-run.ts";

/** A run's result; `status` is `running` if it takes longer than a caller waits. */
export interface OfferedRun {
  readonly executionId: string;
  readonly status: RunEnd["status"] | "running";
  readonly output: JsonText | null;
  readonly error: { readonly message: string; readonly nodeId: string | null; readonly code: string } | null;
}

/** Runs the published version of a flow with `body`, and waits for its answer. Throws NOT_FOUND, CONCURRENCY_LIMIT. */
export async function runOfferedFlow(
  actor: Actor,
  flowId: string,
  body: JsonObject,
  caller: Caller,
): Promise<OfferedRun> {
  const flow = await database().flow.findFirst({ where: { id: flowId, workspaceId: actor.workspaceId } });
  const version = flow && (await loadVersion(flow.id, flow.version));
  if (flow === null || version === null) throw notFound("Flow");
  const run = await startRun(flow, version, {
    triggerType: "manual",
    trigger: await triggerText({ body, headers: {}, query: {}, method: "POST" }),
    source: "api",
    ip: caller.ip,
    userAgent: caller.userAgent,
    metadata: { by: "mcp" },
  });
  const { executionId } = run;
  const end = await run.end;
  if (end === null) return { executionId, status: "running", output: null, error: null };
  if (end.refusal !== null) throw new AppError("CONCURRENCY_LIMIT", end.refusal, { details: { executionId } });
  return { executionId, status: end.status, output: end.output, error: end.error };
}
