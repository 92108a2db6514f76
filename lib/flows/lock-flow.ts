import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import type { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { requireMatch } from "./if-match.ts";

/** The database inside a transaction. */
type Transaction = Parameters<Parameters<ReturnType<typeof database>["$transaction"]>[0]>[0];

/**
 * A flow's row, locked until the transaction ends: changes of one flow follow each other. Throws NOT_FOUND, and
 * CONFLICT when `ifMatch` is of another state.
 */
export async function lockFlow(tx: Transaction, actor: Actor, id: string, ifMatch: string | null) {
  if (!isId("flow", id)) throw notFound("Flow");
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM flow WHERE id = ${id} AND workspace_id = ${actor.workspaceId} FOR UPDATE`;
  if (locked.length === 0) throw notFound("Flow");
  const row = await tx.flow.findUniqueOrThrow({ where: { id } });
  requireMatch(ifMatch, row);
  return row;
}
