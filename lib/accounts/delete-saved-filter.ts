import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";

/** Forgets one of the actor's filters. Throws NOT_FOUND. */
export async function deleteSavedFilter(actor: Actor, id: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  if (!isId("savedFilter", id)) throw notFound("Saved filter");
  const { count } = await database().savedFilter.deleteMany({ where: { id, userId, workspaceId: actor.workspaceId } });
  if (count === 0) throw notFound("Saved filter");
  return null;
}
