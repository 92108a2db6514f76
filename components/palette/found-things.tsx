import { IconRoute, IconStarFilled } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi } from "#components/api/use-api.ts";
import { flowStatusWords } from "#components/status/flow-status.tsx";
import { statusFace } from "#components/status/run-status.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
import { rankedBy } from "#lib/search-words.ts";
import type { CommandGroup } from "./palette-loader.ts";

const flowsMax = 8;
const runsMax = 5;
/** Run searches cover all of a run's data: fewer letters would match any run. */
const runLettersMin = 3;

interface FoundThings {
  readonly favorites: CommandGroup;
  readonly others: readonly CommandGroup[];
  /** Whether more may be found yet. */
  readonly isSearching: boolean;
}

/** The user's favorites, and flows and runs that match the search. Favorites win ties. */
export function useFoundThings(searched: string): FoundThings {
  const api = useApi();
  const router = useRouter();
  const exact = useExactTime();
  const found = { placeholderData: keepPreviousData, staleTime: 10_000 };
  const favorites = useQuery({
    queryKey: ["found", "favorites"],
    queryFn: ({ signal }) =>
      api.callList("listFlows", { query: { favorite: "true", limit: flowsMax, sortBy: "activity" }, signal }),
    staleTime: 10_000,
  });
  const flows = useQuery({
    ...found,
    queryKey: ["found", "flows", searched],
    queryFn: ({ signal }) =>
      api.callList("listFlows", { query: { search: searched, limit: flowsMax, sortBy: "relevance" }, signal }),
    enabled: searched !== "",
  });
  const runs = useQuery({
    ...found,
    queryKey: ["found", "runs", searched],
    queryFn: ({ signal }) => api.callList("listExecutions", { query: { search: searched, limit: runsMax }, signal }),
    enabled: searched.length >= runLettersMin,
  });
  const keywordsOf = ({ isPlaceholderData }: typeof flows | typeof runs) =>
    isPlaceholderData ? [] : [foundFor(searched)];
  const foundFlows = searched === "" ? [] : (flows.data?.items ?? []);
  const marked = favorites.data?.items ?? [];
  const commandOf = (
    { id, name, status, favorite }: (typeof foundFlows)[number],
    keywords: string[],
  ): CommandGroup["actions"][number] => {
    const Icon = favorite ? IconStarFilled : IconRoute;
    return {
      id,
      label: name,
      description: flowStatusWords[status].replace(/^a /, ""),
      keywords,
      leftSection: <Icon size={16} aria-hidden="true" />,
      onClick: () => router.push(`/flows/${id}`),
    };
  };
  const isFound = (flow: { readonly id: string }) => foundFlows.some(({ id }) => id === flow.id);
  const isMarked = (flow: { readonly id: string }) => marked.some(({ id }) => id === flow.id);
  const others = [
    {
      group: "Flows",
      actions: foundFlows
        .filter((flow) => !isMarked(flow))
        .toSorted((a, b) => Number(b.favorite === true) - Number(a.favorite === true))
        .map((flow) => commandOf(flow, keywordsOf(flows))),
    },
    {
      group: "Runs",
      actions: (searched === "" ? [] : (runs.data?.items ?? [])).map((run) => {
        const { id, flowName, startedAt } = run;
        const { icon: Icon, label } = statusFace(run);
        return {
          id,
          label: `${flowName}: ${label.toLowerCase()}`,
          description: `${id}, ${exact.format(startedAt)}`,
          keywords: keywordsOf(runs),
          leftSection: <Icon size={16} aria-hidden="true" />,
          onClick: () => router.push(`/runs/${id}`),
        };
      }),
    },
  ];
  const group = "Favorites";
  const actions = marked.map((flow) => commandOf(flow, isFound(flow) ? keywordsOf(flows) : []));
  return { favorites: { group, actions }, others, isSearching: flows.isFetching || runs.isFetching };
}

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
