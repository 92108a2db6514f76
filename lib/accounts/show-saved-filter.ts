import type { ShownSavedFilter } from "#lib/contract/saved-filters.ts";
import { iso } from "#lib/platform/clock.ts";
import type { SavedFilterModel } from "#lib/platform/prisma/models.ts";

export function showSavedFilter({ id, name, filter, createdAt }: SavedFilterModel): ShownSavedFilter {
  return { id, name, filter: JSON.parse(filter), createdAt: iso(createdAt) };
}
