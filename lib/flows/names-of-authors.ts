import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";

/** Names of people and API keys by their ids, as far as the actor's workspace knows them. */
export async function namesOfAuthors(
  { workspaceId }: Pick<Actor, "workspaceId">,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const select = { id: true, name: true };
  const [people, keys] = await Promise.all([
    database().user.findMany({ where: { id: { in: wanted }, memberships: { some: { workspaceId } } }, select }),
    database().apiKey.findMany({ where: { id: { in: wanted }, workspaceId }, select }),
  ]);
  return new Map([...people, ...keys].map(({ id, name }) => [id, name]));
}
