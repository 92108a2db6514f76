import type { Actor } from "#lib/auth/actor.ts";
import type { FlowDefinition } from "#lib/engine/flow.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { parseDefinition } from "./definition.ts";
import type { FlowRow } from "./show-flow.ts";

/** A flow of the actor's workspace with its current version. Throws NOT_FOUND. */
export async function findFlow(actor: Actor, id: string): Promise<{ row: FlowRow; definition: FlowDefinition }> {
  if (!isId("flow", id)) throw notFound("Flow");
  const row = await database().flow.findFirst({ where: { id, workspaceId: actor.workspaceId } });
  if (row === null) throw notFound("Flow");
  const where = { flowId_version: { flowId: id, version: row.version } };
  const version = await database().flowVersion.findUnique({ where, select: { definition: true } });
  // Deleted between the two reads.
  if (version === null) throw notFound("Flow");
  return { row, definition: parseDefinition(version.definition) };
}
