"use client";

import { FilterBar } from "#components/page/filter-bar.tsx";
import type { UrlChange } from "#components/page/use-url-state.ts";

const statuses = [
  { value: "active", label: "Active" },
  { value: "draft", label: "Draft" },
  { value: "inactive", label: "Inactive" },
];
const sorts = [
  { value: "lastExecutedAt-desc", label: "Last run" },
  { value: "updatedAt-desc", label: "Last changed" },
  { value: "createdAt-asc", label: "Oldest first" },
  { value: "name-asc", label: "Name" },
];

interface FlowFiltersProps {
  readonly search: string | undefined;
  readonly status: string | undefined;
  readonly sort: string | undefined;
  readonly onChange: (change: UrlChange, replace?: boolean) => void;
}

export function FlowFilters({ search, status, sort, onChange }: FlowFiltersProps) {
  return (
    <FilterBar
      search={{ label: "Search flows", value: search }}
      filters={[
        { name: "status", label: "Status", any: "Any status", options: statuses, value: status },
        { name: "sort", label: "Order", any: "Newest first", options: sorts, value: sort },
      ]}
      onChange={onChange}
    />
  );
}
