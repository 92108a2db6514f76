"use client";

import styles from "#components/page/data-table.module.css";
import { FilterSelect } from "#components/page/filter-select.tsx";
import { SearchField } from "#components/page/search-field.tsx";
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
    <div className={styles.toolbar}>
      <SearchField label="Search flows" value={search ?? ""} onChange={(text) => onChange({ search: text }, true)} />
      <FilterSelect
        label="Status"
        any="Any status"
        options={statuses}
        value={status}
        onChange={(value) => onChange({ status: value })}
      />
      <FilterSelect
        label="Order"
        any="Newest first"
        options={sorts}
        value={sort}
        onChange={(value) => onChange({ sort: value })}
      />
    </div>
  );
}
