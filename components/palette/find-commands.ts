import { rankedBy } from "#lib/search-words.ts";
import type { CommandGroup } from "./palette-loader.ts";

/** In the keywords of what the server found: it has searched more than the command shows. */
export const foundFor = (search: string): string => `found for ${search}`;

const last = Number.POSITIVE_INFINITY;

/**
 * The commands that have every word of the search in their label, their description or their group's name, the best
 * first; the groups in the order of their best. Without a search all, as they come.
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
    ranked.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place));
    return { group, actions: ranked.map(({ action }) => action), best: ranked[0]?.place ?? last };
  });
  return found
    .filter(({ actions }) => actions.length > 0)
    .sort((one, other) => (one.best === other.best ? 0 : one.best - other.best))
    .map(({ group, actions }) => ({ group, actions }));
}
