import { IconRoute, IconStarFilled } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi } from "#components/api/use-api.ts";
import { flowStatusWords } from "#components/status/flow-status.tsx";
import { statusFace } from "#components/status/run-status.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
import { rankedBy, wordsOf } from "#lib/search-words.ts";
import { type CommandGroup, readSearchedText } from "./palette-loader.ts";

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
/** Matches in text that is not shown come after all others, except the server's. */
const behind = Number.MAX_SAFE_INTEGER;
const excerptCharacters = 60;

/**
 * The commands whose label, description or group name has every word of the search, best first, and then those with more
 * text that has them; groups are sorted by their best command. Without a search, all in their own order.
 */
export function findCommands(groups: readonly CommandGroup[], query: string): CommandGroup[] {
  const search = query.trim();
  if (search === "") return [...groups];
  const rank = rankedBy(search);
  const found = groups.map(({ group, actions }) => {
    const ranked = actions.flatMap((action) => {
      const { label = "", description = "", keywords = [] } = action;
      const place = rank(label, `${group} ${description}`);
      if (place !== undefined) return [{ action, place }];
      if (keywords.includes(foundFor(search))) return [{ action, place: last }];
      const text = readSearchedText(keywords);
      if (text === undefined || rank("", `${label} ${description} ${text}`) === undefined) return [];
      return [{ action: { ...action, description: `${description} · ${excerpt(text, search)}` }, place: behind }];
    });
    ranked.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place));
    return { group, actions: ranked.map(({ action }) => action), best: ranked[0]?.place ?? last };
  });
  return found
    .filter(({ actions }) => actions.length > 0)
    .sort((a, b) => (a.best === b.best ? 0 : a.best - b.best))
    .map(({ group, actions }) => ({ group, actions }));
}

/** The part of a text with the longest of the words that it has. */
function excerpt(text: string, search: string): string {
  const line = text.replace(/\s+/g, " ");
  const at = wordsOf(search)
    .map((word) => line.toLowerCase().indexOf(word.toLowerCase()))
    .find((index) => index >= 0);
  const from = Math.max(0, (at ?? 0) - excerptCharacters / 3);
  const shown = line.slice(from, from + excerptCharacters);
  return `${from > 0 ? "…" : ""}${shown}${from + excerptCharacters < line.length ? "…" : ""}`;
}
