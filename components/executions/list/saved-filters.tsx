"use client";

import { Button, Menu } from "@mantine/core";
import { IconBookmark, IconCheck, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useChange } from "#components/api/use-change.ts";
import type { ShownSavedFilter } from "#lib/contract/saved-filters.ts";
import { isFiltered, type RunFilter, readFilter } from "./run-filter.ts";
import { SaveFilterDialog } from "./save-filter-dialog.tsx";
import { savedFilterQuery } from "./saved-filter-query.ts";

interface SavedFiltersProps {
  readonly filter: RunFilter;
  readonly onApply: (filter: RunFilter) => void;
}

/** One's own filters under a name. They are asked for when the menu opens. */
export function SavedFilters({ filter, onApply }: SavedFiltersProps) {
  const api = useApi();
  const [opened, setOpened] = useState(false);
  const [naming, setNaming] = useState(false);
  const saved = useQuery({ ...savedFilterQuery(api), enabled: opened });
  const forget = useForget();
  const current = textOf(filter);
  const items = saved.data?.map((one) => ({ ...one, filter: readFilter((name) => one.filter[name]) })) ?? [];
  const used = items.filter((one) => textOf(one.filter) === current);
  return (
    <>
      <Menu position="bottom-end" width={260} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden="true" />}>
            Saved filters
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{labelOf(saved.data, saved.isError)}</Menu.Label>
          {items.map((one) => (
            <Menu.Item
              key={one.id}
              onClick={() => onApply(one.filter)}
              rightSection={used.includes(one) && <IconCheck size={16} aria-label="in use" />}
            >
              {one.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item disabled={!isFiltered(filter)} onClick={() => setNaming(true)}>
            Save these filters…
          </Menu.Item>
          {used.map((one) => (
            <Menu.Item
              key={one.id}
              color="red"
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              onClick={() => forget.mutate(one)}
            >
              Forget “{one.name}”
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {naming && <SaveFilterDialog filter={filter} onClose={() => setNaming(false)} />}
    </>
  );
}

type Kept = Pick<ShownSavedFilter, "id" | "name"> & { readonly filter: RunFilter };

function useForget() {
  const keep = useChange({
    run: (api, { name, filter }: Kept) => api.call("saveFilter", { body: { name, filter: { ...filter } } }),
    stale: ["saved-filters"],
    failed: "The filter was not kept.",
  });
  return useChange({
    run: (api, { id }: Kept) => api.call("deleteSavedFilter", { params: { id } }),
    stale: ["saved-filters"],
    done: (_, { name }) => `“${name}” is forgotten.`,
    failed: "The filter was not forgotten.",
    undo: (_, kept) => keep.mutate(kept),
  });
}

function labelOf(saved: readonly unknown[] | undefined, isError: boolean): string {
  if (isError) return "They could not be loaded.";
  if (saved === undefined) return "Loading…";
  return saved.length === 0 ? "Set some filters, then save them under a name." : "Yours in this workspace";
}

/** The same text for the same filter, in whatever order its fields came. */
function textOf(filter: RunFilter): string {
  return JSON.stringify(Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1)));
}
