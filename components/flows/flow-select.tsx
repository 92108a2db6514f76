"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FilterSelect } from "#components/page/filter-select.tsx";
import { flowQueries } from "./flow-queries.ts";

interface FlowSelectProps {
  readonly value: string | undefined;
  readonly onChange: (flowId: string | null) => void;
  /** What stands there while none is chosen. */
  readonly any?: string;
}

/** One of the workspace's flows, by name. */
export function FlowSelect({ value, onChange, any = "Any flow" }: FlowSelectProps) {
  const flows = useQuery(flowQueries.names(useApi()));
  const options = (flows.data?.items ?? []).map((flow) => ({ value: flow.id, label: flow.name }));
  return <FilterSelect label="Flow" any={any} options={options} value={value} onChange={onChange} />;
}
