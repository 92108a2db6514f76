"use client";

import "@mantine/spotlight/styles.layer.css";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, type SpotlightStore } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useAppCommands } from "./app-commands.tsx";
import styles from "./palette.module.css";
import { type CommandGroup, countOffers, pageCommands, watchOffers } from "./palette-door.ts";
import { useFoundThings } from "./use-found-things.tsx";

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
      nothingFound="Nothing is called that"
      yOffset="12vh"
      classNames={{ actionsGroup: styles.group }}
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden="true" />,
        placeholder: "Find a flow, a run or a page, or say what to do",
        "aria-label": "Search commands",
      }}
    />
  );
}
