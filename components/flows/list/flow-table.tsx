"use client";

import { IconCalendarTime, IconHandClick, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { z } from "zod";
import { useApi } from "#components/api/use-api.ts";
import styles from "#components/page/data-table.module.css";
import { type Column, DataTable } from "#components/page/data-table.tsx";
import { useTick } from "#components/page/tick.tsx";
import { FlowStatusBadge } from "#components/status/flow-status-badge.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { RecentRuns } from "#lib/contract/execution-recent.ts";
import type { flowListItem } from "#lib/contract/flows.ts";
import { flowQueries } from "../flow-queries.ts";
import { FlowTags } from "../flow-tags.tsx";
import { FlowActions } from "./flow-actions.tsx";
import { RunSparkline } from "./run-sparkline.tsx";

export type FlowListItem = z.output<typeof flowListItem>;

const triggers = {
  webhook: { label: "Webhook", icon: IconWebhook },
  manual: { label: "Manual", icon: IconHandClick },
  schedule: { label: "Schedule", icon: IconCalendarTime },
} as const;
const count = new Intl.NumberFormat("en");

/** The columns of the list; `runsOf` tells the last runs of a flow, undefined while they are not known. */
export function flowColumns(
  runsOf: (flowId: string) => RecentRuns["runs"] | undefined,
): readonly Column<FlowListItem>[] {
  return [
    {
      head: "Name",
      kind: "lead",
      width: 180,
      cell: ({ id, name }) => (
        <Link href={`/flows/${id}`} className={styles.rowLink}>
          {name}
        </Link>
      ),
    },
    { head: "Status", width: 70, cell: ({ status }) => <FlowStatusBadge status={status} /> },
    { head: "Trigger", kind: "muted", width: 80, cell: ({ trigger }) => <TriggerMark type={trigger.type} /> },
    { head: "Tags", width: 90, cell: ({ tags }) => tags.length > 0 && <FlowTags tags={tags} /> },
    { head: "Last runs", width: 90, cell: ({ id }) => <RunSparkline runs={runsOf(id)} /> },
    {
      head: "Last run",
      kind: "muted",
      label: "Last run",
      width: 70,
      cell: ({ lastExecutedAt }) => (lastExecutedAt === null ? "never" : <RelativeTime at={lastExecutedAt} />),
    },
    {
      head: "Runs",
      kind: "number",
      label: "Runs",
      width: 40,
      cell: ({ executionCount }) => count.format(executionCount),
    },
    { head: "Actions", kind: "actions", width: 24, cell: (flow) => <FlowActions flow={flow} /> },
  ];
}

interface FlowTableProps {
  readonly flows: readonly FlowListItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

export function FlowTable({ flows, chosen, onChoose }: FlowTableProps) {
  const tick = useTick(flows, chosen, onChoose);
  const recent = useQuery(
    flowQueries.recentRuns(
      useApi(),
      flows.map(({ id }) => id),
    ),
  );
  const runs = new Map(recent.data?.map((one) => [one.flowId, one.runs]));
  return (
    <DataTable
      columns={flowColumns((id) => runs.get(id))}
      rows={flows}
      keyOf={({ id }) => id}
      {...(tick && { ticks: { tick, nameOf: ({ name }: FlowListItem) => name } })}
    />
  );
}

function TriggerMark({ type }: Pick<FlowListItem["trigger"], "type">) {
  const { label, icon: Icon } = triggers[type];
  return (
    <span className={styles.withIcon}>
      <Icon size={16} stroke={1.7} aria-hidden="true" />
      {label}
    </span>
  );
}
