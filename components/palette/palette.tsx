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
  IconSearch,
  IconSettings,
  IconSun,
} from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { useSignOut } from "#components/auth/sign-out.tsx";
import { settingsPlaces } from "#components/settings/settings-frame.tsx";
import { places } from "#components/shell/navigation.tsx";
import { findCommands, useFoundThings } from "./found-things.tsx";
import styles from "./palette.module.css";
import { type CommandGroup, countOffers, pageCommands, watchOffers } from "./palette-loader.ts";

const schemes = [
  { value: "light", label: "Use the light theme", icon: IconSun },
  { value: "dark", label: "Use the dark theme", icon: IconMoon },
  { value: "auto", label: "Use the system theme", icon: IconDeviceDesktop },
] as const;

/** The global commands. */
function useAppCommands(signOut: () => void): CommandGroup[] {
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
          onClick: signOut,
        },
      ],
    },
  ];
}

/** Debounce of the search, in milliseconds. */
const pauseMs = 150;

/** The list element; null without results. */
const listOf = (store: SpotlightStore) => document.getElementById(store.getState().listId);

/** Selects the first command. The palette does so on typing, but not when results arrive later. */
function selectFirst(store: SpotlightStore): void {
  const list = listOf(store);
  if (list === null) return;
  for (const before of list.querySelectorAll("[data-selected]")) before.removeAttribute("data-selected");
  list.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

const hasSelected = (store: SpotlightStore) => listOf(store)?.querySelector("[data-selected]") != null;

/**
 * The page's and the global commands, and flows and runs by name and id. `requests` grows with each request to open it.
 */
export default function Palette({ requests }: { readonly requests: number }) {
  const [[store, spotlight]] = useState(createSpotlight);
  const [query, setQuery] = useState("");
  const [ofPage, setOfPage] = useState<CommandGroup[]>([]);
  const [searched] = useDebouncedValue(query.trim(), pauseMs);
  const offered = useSyncExternalStore(watchOffers, countOffers, countOffers);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are asked for when the palette opens, and when others are offered
  useEffect(() => setOfPage(pageCommands()), [requests, offered]);
  useEffect(() => {
    if (requests > 0) spotlight.open();
  }, [requests, spotlight]);
  const { signOut, question } = useSignOut("/sign-in");
  const everywhere = useAppCommands(signOut);
  const { favorites, others, isSearching: isAsked } = useFoundThings(searched);
  const isSearching = isAsked || query.trim() !== searched;
  const all = [favorites, ...ofPage, ...others, ...everywhere];
  const groups = findCommands(all, query).filter(({ actions }) => actions.length > 0);
  /** Whether the user has moved off the first command since the last keystroke. */
  const hasMoved = useRef(false);
  const first = groups[0]?.actions[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is first
  useEffect(() => {
    // The selected command may no longer be among the results.
    if (query !== "" && (!hasMoved.current || !hasSelected(store))) selectFirst(store);
  }, [first?.id, query, store]);
  const input = useRef<HTMLInputElement>(null);
  /** Whether Enter was pressed before anything was found. */
  const isAwaited = useRef(false);
  const takeFirst = useCallback(() => {
    isAwaited.current = false;
    input.current?.closest("[role=dialog]")?.querySelector<HTMLElement>("[data-action]")?.click();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was waited for is there
  useEffect(() => {
    if (isAwaited.current && !isSearching) takeFirst();
  }, [first?.id, isSearching, takeFirst]);
  /** Enter runs the first shown command. The palette itself would run its highlighted one, which lags behind. */
  const onKeyDownCapture = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key.startsWith("Arrow")) hasMoved.current = true;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || query === "") return;
    if (hasMoved.current && hasSelected(store)) return;
    event.preventDefault();
    event.stopPropagation();
    if (first === undefined) isAwaited.current = isSearching;
    else takeFirst();
  };
  return (
    <>
      <Spotlight
        store={store}
        actions={groups}
        // They are filtered and ranked already.
        filter={(_, found) => found}
        query={query}
        onQueryChange={(next) => {
          hasMoved.current = false;
          isAwaited.current = false;
          setQuery(next);
        }}
        shortcut={null}
        highlightQuery
        scrollable
        maxHeight={420}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
        limit={120}
        nothingFound={isSearching ? "Searching" : "No results"}
        // Centered, it would move up and down as the number of results changes.
        centered={false}
        yOffset="12vh"
        classNames={{ actionsGroup: styles.group, action: styles.item }}
        searchProps={{
          ref: input,
          leftSection: <IconSearch size={16} aria-hidden="true" />,
          placeholder: "Search flows, runs, pages and commands",
          "aria-label": "Search commands",
          onKeyDownCapture,
        }}
      />
      {question}
    </>
  );
}
