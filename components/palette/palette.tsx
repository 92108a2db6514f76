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
import { useEffect, useState, useSyncExternalStore } from "react";
import { type Api, useAccess, useApi } from "#components/api/use-api.ts";
import { leave } from "#components/auth/sign-in.ts";
import { settingsPlaces } from "#components/settings/settings-frame.tsx";
import { places } from "#components/shell/navigation.tsx";
import { runStatuses } from "#components/status/run-status.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
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
/** An id of a run, or enough of one to be it: no word of a name looks like this. */
const idOfRun = /^(exec_[0-9a-z]*|(?=[a-z]*\d)[0-9a-z]{6,})$/i;

/** Flows whose name, and runs whose id, holds what was searched for. */
export function useFoundThings(searched: string): CommandGroup[] {
  const api = useApi();
  const router = useRouter();
  const exact = useExactTime();
  const things = useQuery({
    queryKey: ["found", searched],
    queryFn: ({ signal }) => find(api, searched, signal),
    enabled: searched !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  if (searched === "" || things.data === undefined) return [];
  const { flows, runs } = things.data;
  // The palette filters by what is written on a command: these were found by the server.
  const keywords = [searched];
  return [
    {
      group: "Flows",
      actions: flows.map(({ id, name, status }) => ({
        id,
        label: name,
        description: status,
        keywords,
        leftSection: <IconRoute size={16} aria-hidden="true" />,
        onClick: () => router.push(`/flows/${id}`),
      })),
    },
    {
      group: "Runs",
      actions: runs.map(({ id, flowName, status, startedAt }) => {
        const { icon: Icon, label } = runStatuses[status];
        return {
          id,
          label: `${flowName}: ${label.toLowerCase()}`,
          description: `${id}, ${exact.format(startedAt)}`,
          keywords,
          leftSection: <Icon size={16} aria-hidden="true" />,
          onClick: () => router.push(`/runs/${id}`),
        };
      }),
    },
  ];
}

async function find(api: Api, searched: string, signal: AbortSignal) {
  const [flows, runs] = await Promise.all([
    api.callList("listFlows", { query: { search: searched, limit: flowsMax, sortBy: "name", order: "asc" }, signal }),
    idOfRun.test(searched)
      ? api.callList("listExecutions", { query: { search: searched, limit: runsMax }, signal })
      : { items: [] },
  ]);
  return { flows: flows.items, runs: runs.items };
}

/** A search is asked for this long after the last letter. */
const pauseMs = 150;

/** The palette selects the first command as one types; what is found a moment later it does not know of. */
function selectFirst(store: SpotlightStore): void {
  const list = document.getElementById(store.getState().listId);
  if (list === null || list.querySelector("[data-selected]") !== null) return;
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
  const found = useFoundThings(searched);
  const foundFirst = found[0]?.actions[0]?.id;
  useEffect(() => {
    if (foundFirst !== undefined) selectFirst(store);
  }, [foundFirst, store]);
  const everywhere = useAppCommands();
  const groups = [...ofPage, ...found, ...everywhere].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      store={store}
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={420}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      limit={60}
      nothingFound="No results"
      yOffset="12vh"
      classNames={{ actionsGroup: styles.group }}
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden="true" />,
        placeholder: "Search flows, runs, pages and commands",
        "aria-label": "Search commands",
      }}
    />
  );
}
