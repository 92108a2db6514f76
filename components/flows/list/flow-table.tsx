"use client";

import { IconCalendarTime, IconHandClick, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { z } from "zod";
import { useApi } from "#components/api/use-api.ts";
import styles from "#components/page/data-table.module.css";
import { type Tick, TickAll, TickOne, useTick } from "#components/page/tick.tsx";
import { FlowStatusBadge } from "#components/status/flow-status-badge.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { RecentRuns } from "#lib/contract/execution-recent.ts";
import type { flowListItem } from "#lib/contract/flows.ts";
import { flowQueries } from "../flow-queries.ts";
import { FlowTags } from "../flow-tags.tsx";
import { RunSparkline } from "./run-sparkline.tsx";

export type FlowListItem = z.output<typeof flowListItem>;

export const flowColumns = ["Name", "Status", "Trigger", "Tags", "Last runs", "Last run", "Runs"] as const;

const triggers = {
  webhook: { label: "Webhook", icon: IconWebhook },
  manual: { label: "Manual", icon: IconHandClick },
  schedule: { label: "Schedule", icon: IconCalendarTime },
} as const;
const count = new Intl.NumberFormat("en");

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
  const runsOf = new Map(recent.data?.map(({ flowId, runs }) => [flowId, runs]));
  return (
    <div className={styles.panel}>
      <table className={styles.table}>
        <thead>
          <tr>
            {tick && (
              <th className={styles.tick}>
                <TickAll tick={tick} />
              </th>
            )}
            {flowColumns.map((column) => (
              <th key={column} scope="col" className={column === "Runs" ? styles.number : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flows.map((flow) => (
            <FlowRow key={flow.id} flow={flow} tick={tick} runs={runsOf.get(flow.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FlowRowProps {
  readonly flow: FlowListItem;
  readonly tick: Tick | null;
  readonly runs: RecentRuns["runs"] | undefined;
}

function FlowRow({ flow, tick, runs }: FlowRowProps) {
  const { label, icon: Icon } = triggers[flow.trigger.type];
  return (
    <tr>
      {tick && (
        <td className={styles.tick}>
          <TickOne tick={tick} id={flow.id} label={`Choose ${flow.name}`} />
        </td>
      )}
      <td data-lead>
        <Link href={`/flows/${flow.id}`} className={styles.rowLink}>
          {flow.name}
        </Link>
      </td>
      <td>
        <FlowStatusBadge status={flow.status} />
      </td>
      <td className={styles.muted}>
        <span className={styles.withIcon}>
          <Icon size={16} stroke={1.7} aria-hidden="true" />
          {label}
        </span>
      </td>
      <td>{flow.tags.length > 0 && <FlowTags tags={flow.tags} />}</td>
      <td>
        <RunSparkline runs={runs} />
      </td>
      <td className={styles.muted} data-label="Last run">
        {flow.lastExecutedAt === null ? "never" : <RelativeTime at={flow.lastExecutedAt} />}
      </td>
      <td className={styles.number} data-label="Runs">
        {count.format(flow.executionCount)}
      </td>
    </tr>
  );
}
