import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import type { ExecutionModel } from "#lib/platform/prisma/models.ts";

/** An execution of the actor's workspace. Throws NOT_FOUND. */
export async function findExecution(actor: Actor, id: string): Promise<ExecutionModel> {
  if (!isId("execution", id)) throw notFound("Execution");
  const row = await database().execution.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (row === null) throw notFound("Execution");
  return row;
}
