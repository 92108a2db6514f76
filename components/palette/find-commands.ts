import { rankedBy } from "#lib/search-words.ts";
import type { CommandGroup } from "./palette-loader.ts";

/** Keyword of server results: the server searched more text than the command shows. */
export const foundFor = (search: string): string => `found for ${search}`;

const last = Number.POSITIVE_INFINITY;

/**
 * The commands whose label, description or group name has every word of the search, best first; groups are sorted by
 * their best command. Without a search, all in their own order.
 */
export function findCommands(groups: readonly CommandGroup[], query: string): CommandGroup[] {
  const search = query.trim();
  if (search === "") return [...groups];
  const rank = rankedBy(search);
  const rankOf = (group: string, { label = "", description = "", keywords }: CommandGroup["actions"][number]) =>
    rank(label, `${group} ${description}`) ?? (keywords?.includes(foundFor(search)) ? last : undefined);
  const found = groups.map(({ group, actions }) => {
    const ranked = actions.flatMap((action) => {
      const place = rankOf(group, action);
      return place === undefined ? [] : [{ action, place }];
    });
    ranked.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place));
    return { group, actions: ranked.map(({ action }) => action), best: ranked[0]?.place ?? last };
  });
  return found
    .filter(({ actions }) => actions.length > 0)
    .sort((a, b) => (a.best === b.best ? 0 : a.best - b.best))
    .map(({ group, actions }) => ({ group, actions }));
}
