// A separate process that performs tasks with given keys until it is killed.
import type { Scope } from "#lib/access.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type IdempotentRequest, onceOnly } from "#lib/auth/idempotency.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import { executeFlow } from "#lib/runtime/start/execute-flow.ts";

/** A task, as sent to the process. */
export type Task =
  | { readonly kind: "execute"; readonly flowId: string; readonly async: boolean; readonly key: string }
  | { readonly kind: "delete"; readonly flowId: string }
  | { readonly kind: "cancel"; readonly executionId: string };

/** An actor in serializable form. */
type SentActor = Omit<Actor, "scopes"> & { readonly scopes: readonly Scope[] };

/** Performs the task; with a key, only once. */
export async function perform(actor: Actor, task: Task): Promise<unknown> {
  if (task.kind === "delete") return await deleteFlow(actor, task.flowId, { deleteExecutions: true, ifMatch: null });
  if (task.kind === "cancel") return await cancelExecution(actor, task.executionId, null);
  const { flowId, async, key } = task;
  const request: IdempotentRequest = {
    workspaceId: actor.workspaceId,
    key,
    path: `POST /v1/flows/${flowId}/execute`,
    bodyHash: `${async}`,
  };
  return await onceOnly(request, {
    answer: (once) =>
      executeFlow({ ...actor, once }, flowId, { data: { n: 1 }, metadata: {}, async }, { ip: null, userAgent: null }),
    keep: async (answer) => ({ status: answer.status, headers: [], body: JSON.stringify(answer) }),
    replay: ({ body }) => JSON.parse(body ?? "null"),
  });
}

if (process.argv[1] === import.meta.filename) {
  process.on("message", ({ actor, task }: { actor: SentActor; task: Task }) => {
    perform({ ...actor, scopes: new Set(actor.scopes) }, task).then(
      () => process.send?.(`${JSON.stringify(task)} was answered`),
      (error: unknown) => process.send?.(`${JSON.stringify(task)}: ${error}`),
    );
  });
}
