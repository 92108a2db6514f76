import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { type ShownSavedFilter, savedFiltersMax } from "#lib/contract/saved-filters.ts";
import { database } from "#lib/platform/database.ts";
import { showSavedFilter } from "./show-saved-filter.ts";

/** The actor's filters in the workspace, by name. */
export async function listSavedFilters(actor: Actor): Promise<ShownSavedFilter[]> {
  const rows = await database().savedFilter.findMany({
    where: { workspaceId: actor.workspaceId, userId: requireUser(actor).id },
    orderBy: { name: "asc" },
    take: savedFiltersMax,
  });
  return rows.map(showSavedFilter);
}
