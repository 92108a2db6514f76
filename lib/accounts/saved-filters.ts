import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { type NewSavedFilter, type ShownSavedFilter, savedFiltersMax } from "#lib/contract/executions/saved-filters.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { SavedFilterModel } from "#lib/platform/prisma/models.ts";

function showSavedFilter({ id, name, filter, createdAt }: SavedFilterModel): ShownSavedFilter {
  return { id, name, filter: JSON.parse(filter), createdAt: iso(createdAt) };
}

/** The actor's filters in the workspace, by name. */
export async function listSavedFilters(actor: Actor): Promise<ShownSavedFilter[]> {
  const rows = await database().savedFilter.findMany({
    where: { workspaceId: actor.workspaceId, userId: requireUser(actor).id },
    orderBy: { name: "asc" },
    take: savedFiltersMax,
  });
  return rows.map(showSavedFilter);
}

/** Saves a filter, replacing one of the same name. Throws VALIDATION_ERROR if there are too many. */
export async function saveFilter(actor: Actor, { name, filter }: NewSavedFilter): Promise<ShownSavedFilter> {
  const { workspaceId } = actor;
  const { id: userId } = requireUser(actor);
  const others = await database().savedFilter.count({ where: { workspaceId, userId, name: { not: name } } });
  if (others >= savedFiltersMax) {
    const details = { name: `name cannot be saved: delete one of the ${savedFiltersMax} saved filters first` };
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details });
  }
  const columns = { filter: JSON.stringify(filter), createdAt: timeNow() };
  const row = await database().savedFilter.upsert({
    where: { workspaceId_userId_name: { workspaceId, userId, name } },
    create: { id: newId("savedFilter"), workspaceId, userId, name, ...columns },
    update: columns,
  });
  return showSavedFilter(row);
}

/** Deletes one of the actor's filters. Throws NOT_FOUND. */
export async function deleteSavedFilter(actor: Actor, id: string): Promise<null> {
  const { id: userId } = requireUser(actor);
  if (!isId("savedFilter", id)) throw notFound("Saved filter");
  const { count } = await database().savedFilter.deleteMany({ where: { id, userId, workspaceId: actor.workspaceId } });
  if (count === 0) throw notFound("Saved filter");
  return null;
}
