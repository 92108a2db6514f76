import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { favoritesMax } from "#lib/contract/flows/favorites.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { database, query } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

// Locks the flow against deletion. Marking a flow again succeeds, even at the limit.
const add = `
  WITH f AS (SELECT id FROM flow WHERE id = $1 AND workspace_id = $2 FOR KEY SHARE),
  others AS (SELECT count(*) AS n FROM flow_favorite WHERE user_id = $3 AND workspace_id = $2 AND flow_id <> $1),
  put AS (
    INSERT INTO flow_favorite (user_id, workspace_id, flow_id)
    SELECT $3, $2, f.id FROM f, others WHERE others.n < ${favoritesMax}
    ON CONFLICT DO NOTHING)
  SELECT EXISTS (SELECT FROM f) AS "isThere", (SELECT n FROM others) < ${favoritesMax} AS "hasRoom"`;

/** Marks a flow for the actor alone. Throws NOT_FOUND, and CONFLICT if there are too many. */
export async function addFavorite(actor: Actor, id: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  if (!isId("flow", id)) throw notFound("Flow");
  const rows = await query<{ isThere: boolean; hasRoom: boolean }>("add-favorite", add, [
    id,
    actor.workspaceId,
    userId,
  ]);
  if (!rows[0]?.isThere) throw notFound("Flow");
  if (!rows[0].hasRoom)
    throw new AppError("CONFLICT", `You have ${favoritesMax} favorites here. Remove one of them first.`);
  return null;
}

/** Removes the mark. Throws NOT_FOUND. */
export async function removeFavorite(actor: Actor, id: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  const { workspaceId } = actor;
  const flow = isId("flow", id) ? await database().flow.findFirst({ where: { id, workspaceId } }) : null;
  if (flow === null) throw notFound("Flow");
  await database().flowFavorite.deleteMany({ where: { userId, workspaceId, flowId: id } });
  return null;
}

/** Those of these flows that the actor has marked; null for an API key, which has no favorites. */
export async function favoritesAmong(actor: Actor, ids: readonly string[]): Promise<ReadonlySet<string> | null> {
  const { by, workspaceId } = actor;
  if (by.kind === "key") return null;
  const where = { userId: by.id, workspaceId, flowId: { in: [...ids] } };
  const rows = await database().flowFavorite.findMany({ where, select: { flowId: true } });
  return new Set(rows.map(({ flowId }) => flowId));
}
