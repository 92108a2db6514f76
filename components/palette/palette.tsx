"use client";
import "@mantine/spotlight/styles.layer.css";
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, type SpotlightStore } from "@mantine/spotlight";
import {
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconPlus,
  IconRoute,
  IconSearch,
  IconSettings,
  IconSun,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useAccess, useApi } from "#components/api/use-api.ts";
import { leave } from "#components/auth/sign-in.ts";
import { settingsPlaces } from "#components/settings/settings-frame.tsx";
import { places } from "#components/shell/navigation.tsx";
import { runStatuses } from "#components/status/run-status.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
import { findCommands, foundFor } from "./find-commands.ts";
import styles from "./palette.module.css";
import { type CommandGroup, countOffers, pageCommands, watchOffers } from "./palette-door.ts";

const schemes = [
  { value: "light", label: "Use the light theme", icon: IconSun },
  { value: "dark", label: "Use the dark theme", icon: IconMoon },
  { value: "auto", label: "Use the system theme", icon: IconDeviceDesktop },
] as const;

/** What can be done on every page. */
export function useAppCommands(): CommandGroup[] {
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const mayWrite = useAccess().refusal("flows:write") === null;
  const goTo = (path: string, label: string, Icon: typeof IconPlus) => ({
    id: `go ${path}`,
    label,
    leftSection: <Icon size={16} aria-hidden="true" />,
    onClick: () => router.push(path),
  });
  return [
    { group: "Create", actions: mayWrite ? [goTo("/flows/new", "New flow", IconPlus)] : [] },
    {
      group: "Go to",
      actions: [
        ...places.map(({ path, label, icon }) => goTo(path, label, icon)),
        ...settingsPlaces.map(({ path, label }) => goTo(path, `Settings: ${label}`, IconSettings)),
      ],
    },
    {
      group: "Theme",
      actions: schemes.map(({ value, label, icon: Icon }) => ({
        id: `scheme ${value}`,
        label,
        leftSection: <Icon size={16} aria-hidden="true" />,
        onClick: () => setColorScheme(value),
      })),
    },
    {
      group: "Account",
      actions: [
        {
          id: "sign out",
          label: "Sign out",
          leftSection: <IconLogout size={16} aria-hidden="true" />,
          onClick: () => void leave("/sign-in"),
        },
      ],
    },
  ];
}

const flowsMax = 8;
const runsMax = 5;
/** Runs are searched by all that they hold: fewer letters would find any. */
const runLettersMin = 3;

/** Flows and runs that have the words of the search. */
export function useFoundThings(searched: string): CommandGroup[] {
  const api = useApi();
  const router = useRouter();
  const exact = useExactTime();
  const found = { placeholderData: keepPreviousData, staleTime: 10_000 };
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
  const keywordsOf = ({ isPlaceholderData }: typeof flows | typeof runs) => ({
    keywords: isPlaceholderData ? [] : [foundFor(searched)],
  });
  if (searched === "") return [];
  return [
    {
      group: "Flows",
      actions: (flows.data?.items ?? []).map(({ id, name, status }) => ({
        id,
        label: name,
        description: status,
        ...keywordsOf(flows),
        leftSection: <IconRoute size={16} aria-hidden="true" />,
        onClick: () => router.push(`/flows/${id}`),
      })),
    },
    {
      group: "Runs",
      actions: (runs.data?.items ?? []).map(({ id, flowName, status, startedAt }) => {
        const { icon: Icon, label } = runStatuses[status];
        return {
          id,
          label: `${flowName}: ${label.toLowerCase()}`,
          description: `${id}, ${exact.format(startedAt)}`,
          ...keywordsOf(runs),
          leftSection: <Icon size={16} aria-hidden="true" />,
          onClick: () => router.push(`/runs/${id}`),
        };
      }),
    },
  ];
}

/** A search is asked for this long after the last letter. */
const pauseMs = 150;

/** Selects the first command. The palette does so as one types; what is found a moment later it does not know of. */
function selectFirst(store: SpotlightStore): void {
  const list = document.getElementById(store.getState().listId);
  if (list === null) return;
  for (const before of list.querySelectorAll("[data-selected]")) before.removeAttribute("data-selected");
  list.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/** What can be done here and everywhere, and flows and runs by name and id. `asked` grows each time it is wanted. */
export default function Palette({ asked }: { readonly asked: number }) {
  const [[store, spotlight]] = useState(createSpotlight);
  const [query, setQuery] = useState("");
  const [ofPage, setOfPage] = useState<CommandGroup[]>([]);
  const [searched] = useDebouncedValue(query.trim(), pauseMs);
  const offered = useSyncExternalStore(watchOffers, countOffers, countOffers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are asked for when the palette opens, and when others are offered
  useEffect(() => setOfPage(pageCommands()), [asked, offered]);
  useEffect(() => {
    if (asked > 0) spotlight.open();
  }, [asked, spotlight]);
  const things = useFoundThings(searched);
  const everywhere = useAppCommands();
  const groups = findCommands([...ofPage, ...things, ...everywhere], query).filter(({ actions }) => actions.length > 0);
  /** Whether one has gone to another command than the first since the last letter. */
  const hasMoved = useRef(false);
  const first = groups[0]?.actions[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first is selected whenever it is another
  useEffect(() => {
    if (query !== "" && !hasMoved.current) selectFirst(store);
  }, [first, query, store]);
  return (
    <Spotlight
      store={store}
      actions={groups}
      // They are found and ranked already.
      filter={(_, found) => found}
      query={query}
      onQueryChange={(next) => {
        hasMoved.current = false;
        setQuery(next);
      }}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      limit={120}
      nothingFound="No results"
      yOffset="12vh"
      classNames={{ actionsGroup: styles.group }}
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden="true" />,
        placeholder: "Search flows, runs, pages and commands",
        "aria-label": "Search commands",
        onKeyDown: ({ key }) => {
          if (key.startsWith("Arrow")) hasMoved.current = true;
          // What is seen first may have come since the last effect ran.
          else if (key === "Enter" && query !== "" && !hasMoved.current) selectFirst(store);
        },
      }}
    />
  );
}
