"use client";

import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { sourceLabels } from "#components/executions/run-table.tsx";
import { FlowSelect } from "#components/flows/flow-select.tsx";
import { FilterBar } from "#components/list/filter-bar.tsx";
import type { UrlChange } from "#components/page/use-url-state.ts";
import { runStatuses } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { useExactTime } from "#components/time/relative-time.tsx";
import { filterChange, isFiltered, periods, type RunFilter } from "./run-filter.ts";

const statuses = [
  { value: "failed,timeout", label: "Failed or timed out" },
  { value: "running,pending", label: "In progress" },
  ...Object.entries(runStatuses)
    // No run has these.
    .filter(([value]) => value !== "skipped" && value !== "unknown")
    .map(([value, { label }]) => ({ value, label })),
];
const sources = Object.entries(sourceLabels).map(([value, label]) => ({ value, label }));
const durations = [
  { value: "1000", label: "Over 1 s" },
  { value: "10000", label: "Over 10 s" },
  { value: "60000", label: "Over 1 min" },
  { value: "600000", label: "Over 10 min" },
];
const sorts = [
  { value: "startedAt-asc", label: "Oldest first" },
  { value: "duration-desc", label: "Slowest first" },
  { value: "duration-asc", label: "Fastest first" },
  { value: "completedAt-desc", label: "Recently ended first" },
];

interface RunFiltersProps {
  readonly filter: RunFilter;
  readonly sort: string | undefined;
  readonly onChange: (change: UrlChange, replace?: boolean) => void;
}

export function RunFilters({ filter, sort, onChange }: RunFiltersProps) {
  const exact = useExactTime();
  const span = spanInWords(filter, exact.format);
  const filters = [
    { name: "status", label: "Status", any: "Any status", options: statuses, value: filter.status },
    { name: "since", label: "Started", any: span ?? "Any time", options: periods, value: filter.since, instead },
    { name: "source", label: "Trigger", any: "Any trigger", options: sources, value: filter.source },
    {
      name: "min",
      label: "Duration",
      any: "Any duration",
      options: withOwn(filter.min),
      value: filter.min,
      instead: ["max"],
    },
    { name: "sort", label: "Order", any: "Newest first", options: sorts, value: sort },
  ];
  return (
    <FilterBar
      search={{ label: "Search runs", value: filter.search }}
      first={<FlowSelect value={filter.flow} onChange={(value) => onChange({ flow: value })} />}
      filters={filters}
      onChange={onChange}
      last={
        isFiltered(filter) && (
          <Button
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden="true" />}
            onClick={() => onChange(filterChange())}
          >
            Clear
          </Button>
        )
      }
    />
  );
}

/** A span in the URL and a selected period exclude each other. */
const instead = ["from", "to"];

/** The durations to choose from, plus one from the URL. */
function withOwn(min: string | undefined) {
  if (min === undefined || durations.some(({ value }) => value === min)) return durations;
  return [...durations, { value: min, label: `From ${formatDuration(Number(min))}` }];
}

/** A span from the URL, for instance from a bar of the overview. */
function spanInWords({ from, to }: RunFilter, format: (time: string) => string): string | null {
  const exact = (time: string) => (Number.isNaN(Date.parse(time)) ? time : format(time));
  const words = [from && `from ${exact(from)}`, to && `to ${exact(to)}`].filter(Boolean).join(" ");
  return words === "" ? null : words.charAt(0).toUpperCase() + words.slice(1);
}
