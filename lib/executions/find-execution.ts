import type { Actor } from "#lib/auth/actor.ts";
import type { ExecutionStatus } from "#lib/contract/executions.ts";
import { notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";
import { unfoldExecution } from "./unfold-execution.ts";

/** An execution of the actor's workspace. Throws NOT_FOUND. */
export async function findExecution(actor: Actor, id: string): Promise<ExecutionModel> {
  if (!isId("execution", id)) throw notFound("Execution");
  const row = await database().execution.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (row === null) throw notFound("Execution");
  if (row.journal !== null) await unfoldExecution(id, row.journal);
  return row;
}

/** The status alone, for who asks again and again. Throws NOT_FOUND. */
export async function findStatus(actor: Actor, id: string): Promise<ExecutionStatus> {
  if (!isId("execution", id)) throw notFound("Execution");
  const text = "SELECT status, journal FROM execution WHERE id = $1 AND workspace_id = $2";
  const values = [id, actor.workspaceId];
  const [row] = await query<{ status: ExecutionStatus; journal: string | null }>("find-status", text, values);
  if (row === undefined) throw notFound("Execution");
  if (row.journal !== null) await unfoldExecution(id, row.journal);
  return row.status;
}
