import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { type NewSavedFilter, type ShownSavedFilter, savedFiltersMax } from "#lib/contract/saved-filters.ts";
import { AppError } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { showSavedFilter } from "./show-saved-filter.ts";

/** Keeps a filter under its name, in place of one that has it. Throws VALIDATION_ERROR when there are too many. */
export async function saveFilter(actor: Actor, { name, filter }: NewSavedFilter): Promise<ShownSavedFilter> {
  const { workspaceId } = actor;
  const { id: userId } = requireUser(actor);
  const others = await database().savedFilter.count({ where: { workspaceId, userId, name: { not: name } } });
  if (others >= savedFiltersMax) {
    const details = { name: `name would be one too many: forget one of ${savedFiltersMax} saved filters first` };
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details });
  }
  const kept = { filter: JSON.stringify(filter), createdAt: timeNow() };
  const row = await database().savedFilter.upsert({
    where: { workspaceId_userId_name: { workspaceId, userId, name } },
    create: { id: newId("savedFilter"), workspaceId, userId, name, ...kept },
    update: kept,
  });
  return showSavedFilter(row);
}
