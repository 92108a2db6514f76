"use client";
import { Menu } from "@mantine/core";
import { IconCheck, IconTrash } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type Api, useApi, useChange } from "#components/api/use-api.ts";
import { useOpenedByEffect } from "#components/page/regain-focus.ts";
import type { ShownSavedFilter } from "#lib/contract/executions/saved-filters.ts";
import { isFiltered, type RunFilter, readFilter } from "./run-filter.ts";
import { SavedFiltersButton } from "./saved-filters-button.tsx";

export const savedFilterQuery = (api: Api) =>
  queryOptions({
    queryKey: ["saved-filters"],
    queryFn: ({ signal }) => api.call("listSavedFilters", { signal }),
    staleTime: 60_000,
  });

const SaveFilterDialog = lazy(async () => ({ default: (await import("./save-filter-dialog.tsx")).SaveFilterDialog }));

export interface SavedFiltersProps {
  readonly filter: RunFilter;
  readonly onApply: (filter: RunFilter) => void;
}

/** The menu of the user's filters, opened at once: it was loaded on demand. */
export default function SavedFiltersMenu({ filter, onApply }: SavedFiltersProps) {
  const api = useApi();
  const { target, regain, opened, onChange } = useOpenedByEffect();
  const [naming, setNaming] = useState(false);
  const saved = useQuery({ ...savedFilterQuery(api), enabled: opened });
  const forget = useForget();
  const current = textOf(filter);
  const items = saved.data?.map((saved) => ({ ...saved, filter: readFilter((name) => saved.filter[name]) })) ?? [];
  const used = items.filter((item) => textOf(item.filter) === current);
  return (
    <>
      <Menu position="bottom-end" width={260} opened={opened} onChange={onChange}>
        <Menu.Target>
          <SavedFiltersButton ref={target} />
        </Menu.Target>
        <Menu.Dropdown onClickCapture={regain}>
          <Menu.Label>{labelOf(saved.data, saved.isError)}</Menu.Label>
          {items.map((item) => (
            <Menu.Item
              key={item.id}
              onClick={() => onApply(item.filter)}
              rightSection={used.includes(item) && <IconCheck size={16} aria-label="active" />}
            >
              {item.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            // Not `disabled`: it may be all that can have the focus.
            {...(!isFiltered(filter) && { "aria-disabled": true, "data-disabled": true, closeMenuOnClick: false })}
            onClick={() => setNaming(isFiltered(filter))}
          >
            Save these filters…
          </Menu.Item>
          {used.map((item) => (
            <Menu.Item
              key={item.id}
              color="red"
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              onClick={() => forget.mutate(item)}
            >
              Delete “{item.name}”
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {naming && (
        <Suspense>
          <SaveFilterDialog filter={filter} onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </>
  );
}

type RemovedFilter = Pick<ShownSavedFilter, "id" | "name"> & { readonly filter: RunFilter };

function useForget() {
  const keep = useChange({
    run: (api, { name, filter }: RemovedFilter) => api.call("saveFilter", { body: { name, filter: { ...filter } } }),
    stale: ["saved-filters"],
    failed: "The filter was not saved.",
  });
  return useChange({
    run: (api, { id }: RemovedFilter) => api.call("deleteSavedFilter", { params: { id } }),
    stale: ["saved-filters"],
    done: (_, { name }) => `“${name}” was deleted.`,
    failed: "The filter was not deleted.",
    undo: (_, removed) => keep.mutate(removed),
  });
}

function labelOf(saved: readonly unknown[] | undefined, isError: boolean): string {
  if (isError) return "The saved filters could not be loaded.";
  if (saved === undefined) return "Loading…";
  return saved.length === 0 ? "Set some filters, then save them under a name." : "Your saved filters";
}

/** The same text for the same filter, whatever the order of its fields. */
function textOf(filter: RunFilter): string {
  return JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1)));
}
