import { IconCalendarTime, IconHandClick, IconWebhook } from "@tabler/icons-react";
import Link from "next/link";
import type { z } from "zod";
import styles from "#components/page/data-table.module.css";
import { FlowStatusBadge } from "#components/status/flow-status-badge.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { flowListItem } from "#lib/contract/flows.ts";
import { FlowTags } from "./flow-tags.tsx";

type FlowListItem = z.output<typeof flowListItem>;

export const flowColumns = ["Name", "Status", "Trigger", "Tags", "Last run", "Runs"] as const;

const triggers = {
  webhook: { label: "Webhook", icon: IconWebhook },
  manual: { label: "Manual", icon: IconHandClick },
  schedule: { label: "Schedule", icon: IconCalendarTime },
} as const;
const count = new Intl.NumberFormat("en");

export function FlowTable({ flows }: { readonly flows: readonly FlowListItem[] }) {
  return (
    <div className={styles.panel}>
      <table className={styles.table}>
        <thead>
          <tr>
            {flowColumns.map((column) => (
              <th key={column} scope="col" className={column === "Runs" ? styles.number : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {flows.map((flow) => (
            <FlowRow key={flow.id} flow={flow} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FlowRow({ flow }: { readonly flow: FlowListItem }) {
  const { label, icon: Icon } = triggers[flow.trigger.type];
  return (
    <tr>
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
      <td className={styles.muted} data-label="Last run">
        {flow.lastExecutedAt === null ? "never" : <RelativeTime at={flow.lastExecutedAt} />}
      </td>
      <td className={styles.number} data-label="Runs">
        {count.format(flow.executionCount)}
      </td>
    </tr>
  );
}
