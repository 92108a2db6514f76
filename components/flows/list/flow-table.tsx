"use client";
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconForms,
  IconHandClick,
  IconMail,
  IconRefresh,
  IconRss,
  IconTable,
  IconWebhook,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import type { z } from "zod";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { FlowTags } from "#components/flows/flow-tags.tsx";
import { StarButton } from "#components/flows/star-button.tsx";
import dataTableStyles from "#components/list/data-table.module.css";
import { type Column, DataTable } from "#components/list/data-table.tsx";
import { useRowSelection } from "#components/list/row-selection.tsx";
import { Link } from "#components/page/link.tsx";
import { LazyMenu } from "#components/page/row-menu.tsx";
import { FlowStatusBadge } from "#components/status/flow-status.tsx";
import { recoveredWords } from "#components/status/recovered-words.ts";
import { retryWords, runStatuses } from "#components/status/run-status.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { RecentRuns } from "#lib/contract/executions/figures.ts";
import type { flowListItem } from "#lib/contract/flows/shown-flow.ts";
import styles from "./run-sparkline.module.css";

const loadActions = () => import("./flow-actions.tsx");
const FlowActions = lazy(async () => ({ default: (await loadActions()).FlowActions }));

const [heightPx, leastPx] = [20, 4];

/**
 * A flow's latest runs, newest at the right: each a bar in its status's colour, its height the duration. Until they are
 * known, their place.
 */
function RunSparkline({ runs }: { readonly runs: RecentRuns["runs"] | undefined }) {
  if (runs === undefined) return <span className={styles.runs} />;
  if (runs.length === 0) return null;
  const longest = Math.max(1, ...runs.map(({ duration }) => duration ?? 0));
  const failed = runs.filter(({ status }) => status === "failed" || status === "timeout");
  const recovered = failed.filter(({ retry }) => retry?.status === "completed").length;
  const words = [
    `${failed.length === 0 ? "None" : failed.length} of the last ${runs.length} failed`,
    ...(recovered === 0 ? [] : [recoveredWords(recovered, failed.length)]),
  ].join("; ");
  return (
    <span className={styles.runs} role="img" aria-label={words} title={words}>
      {[...runs].reverse().map(({ id, status, duration, retry }) => (
        <span
          key={id}
          className={styles.run}
          data-status={status}
          data-recovered={retry?.status === "completed" || undefined}
          title={[runStatuses[status].label, ...(retry ? [retryWords(retry)] : [])].join(". ")}
          style={{ height: leastPx + ((duration ?? longest) / longest) * (heightPx - leastPx) }}
        />
      ))}
    </span>
  );
}

export type FlowListItem = z.output<typeof flowListItem>;

const triggers = {
  webhook: { label: "Webhook", icon: IconWebhook },
  manual: { label: "Manual", icon: IconHandClick },
  schedule: { label: "Schedule", icon: IconCalendarTime },
  form: { label: "Form", icon: IconForms },
  table: { label: "Table changes", icon: IconTable },
  error: { label: "Failed runs", icon: IconAlertTriangle },
  poll: { label: "New items", icon: IconRefresh },
  rss: { label: "Feed", icon: IconRss },
  mail: { label: "New mail", icon: IconMail },
} as const;
const count = new Intl.NumberFormat("en");

/** The columns of the list; `runsOf` returns a flow's latest runs, undefined while loading; `onTag` filters by a tag. */
export function flowColumns(
  runsOf: (flowId: string) => RecentRuns["runs"] | undefined,
  onTag: (tag: string) => void,
): readonly Column<FlowListItem>[] {
  return [
    {
      head: "Name",
      kind: "lead",
      width: 180,
      cell: ({ id, name, favorite }) => (
        <span className={styles.name}>
          <StarButton id={id} name={name} isFavorite={favorite === true} />
          <Link href={`/flows/${id}`} className={dataTableStyles.rowLink}>
            {name}
          </Link>
        </span>
      ),
    },
    { head: "Status", width: 70, cell: ({ status }) => <FlowStatusBadge status={status} /> },
    { head: "Trigger", kind: "muted", width: 80, cell: ({ trigger }) => <TriggerMark type={trigger.type} /> },
    { head: "Tags", width: 90, cell: ({ tags }) => tags.length > 0 && <FlowTags tags={tags} onPick={onTag} /> },
    {
      head: "Health",
      width: 90,
      cell: ({ id, executionCount }) => executionCount > 0 && <RunSparkline runs={runsOf(id)} />,
    },
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
    {
      head: "Actions",
      kind: "actions",
      width: 24,
      cell: (flow) => (
        <LazyMenu label={labelOf(flow)} load={loadActions}>
          <FlowActions flow={flow} label={labelOf(flow)} />
        </LazyMenu>
      ),
    },
  ];
}

const labelOf = ({ name }: FlowListItem) => `Actions for ${name}`;

interface FlowTableProps {
  readonly flows: readonly FlowListItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
  /** Shows the flows that have a tag. */
  readonly onTag: (tag: string) => void;
}

export function FlowTable({ flows, chosen, onChoose, onTag }: FlowTableProps) {
  const selection = useRowSelection(flows, chosen, onChoose);
  const recent = useQuery(
    flowQueries.recentRuns(
      useApi(),
      flows.map(({ id }) => id),
    ),
  );
  const runs = new Map(recent.data?.map((flow) => [flow.flowId, flow.runs]));
  return (
    <DataTable
      columns={flowColumns((id) => runs.get(id), onTag)}
      rows={flows}
      keyOf={({ id }) => id}
      {...(selection && { selectable: { selection, nameOf: ({ name }: FlowListItem) => name } })}
    />
  );
}

function TriggerMark({ type }: Pick<FlowListItem["trigger"], "type">) {
  const { label, icon: Icon } = triggers[type];
  return (
    <span className={dataTableStyles.withIcon}>
      <Icon size={16} stroke={1.7} aria-hidden="true" />
      {label}
    </span>
  );
}
