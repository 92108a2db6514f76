"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import styles from "#components/page/data-table.module.css";
import { FilterSelect } from "#components/page/filter-select.tsx";
import type { UrlChange } from "#components/page/use-url-state.ts";
import { runStatuses } from "#components/status/run-statuses.ts";
import { periods } from "./run-queries.ts";

const statuses = Object.entries(runStatuses)
  .filter(([value]) => value !== "skipped")
  .map(([value, { label }]) => ({ value, label }));

interface RunFiltersProps {
  readonly flowId: string | undefined;
  readonly status: string | undefined;
  readonly since: string | undefined;
  readonly onChange: (change: UrlChange) => void;
}

export function RunFilters({ flowId, status, since, onChange }: RunFiltersProps) {
  const flows = useQuery(flowQueries.names(useApi()));
  const options = (flows.data?.items ?? []).map((flow) => ({ value: flow.id, label: flow.name }));
  return (
    <div className={styles.toolbar}>
      <FilterSelect
        label="Flow"
        any="Any flow"
        options={options}
        value={flowId}
        onChange={(value) => onChange({ flow: value })}
      />
      <FilterSelect
        label="Status"
        any="Any status"
        options={statuses}
        value={status}
        onChange={(value) => onChange({ status: value })}
      />
      <FilterSelect
        label="Started"
        any="Any time"
        options={periods}
        value={since}
        onChange={(value) => onChange({ since: value })}
      />
    </div>
  );
}
