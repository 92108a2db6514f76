"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAccess, useApi } from "#components/api/use-api.ts";
import { periods } from "#components/executions/list/run-filter.ts";
import { type Column, DataTable, DataTableSkeleton } from "#components/list/data-table.tsx";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { FilterBar } from "#components/list/filter-bar.tsx";
import { ListStates, NothingFound } from "#components/list/list-states.tsx";
import { ShortId } from "#components/page/copy-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { AuditSubject, ShownAuditEntry } from "#lib/contract/accounts/audit-log.ts";

const subjects: Record<AuditSubject, string> = {
  workspace: "Workspace",
  member: "Member",
  invitation: "Invitation",
  session: "Session",
  account: "Account",
  key: "API key",
  credential: "Credential",
  flow: "Flow",
  flow_test: "Test",
  webhook: "Webhook subscription",
  alert_rule: "Alert rule",
  table: "Table",
  service: "Service",
  file: "File",
  executions: "Runs",
};

const subjectOptions = Object.entries(subjects).map(([value, label]) => ({
  value: value as AuditSubject,
  label,
}));

/** A single run, rather than a selection. */
const isRun = ({ type, id }: ShownAuditEntry["subject"]) => type === "executions" && id.startsWith("exec_");

/** "Flow updated: Order intake". */
export function actionInWords({ action, subject }: ShownAuditEntry): string {
  const verb = (action.split(".")[1] ?? action).replaceAll("_", " ");
  const title = `${isRun(subject) ? "Run" : subjects[subject.type]} ${verb}`;
  return subject.name ? `${title}: ${subject.name}` : title;
}

/** The changes, field by field: "role: viewer → editor". */
export function changeInWords({ before, after }: ShownAuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
    .map((name) => {
      const [old, next] = [textOf(before?.[name]), textOf(after?.[name])];
      const field = fieldInWords(name);
      return before === null || old === "" ? `${field}: ${next}` : `${field}: ${old} → ${next || "none"}`;
    })
    .join(", ");
}

/** "quietMinutes" is "quiet minutes". */
function fieldInWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = Array.isArray(value) ? value.join(" ") : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

const columns: readonly Column<ShownAuditEntry>[] = [
  {
    head: "Event",
    kind: "lead",
    width: 160,
    cell: (entry) => (
      <>
        <strong>{actionInWords(entry)}</strong>{" "}
        {isRun(entry.subject) && <ShortId id={entry.subject.id} subject="run" />}
      </>
    ),
  },
  { head: "Change", kind: "muted", width: 180, cell: changeInWords },
  {
    head: "Who",
    width: 140,
    cell: ({ actor }) => (actor.kind === "key" ? `API key ${actor.name}` : actor.name || "System"),
  },
  {
    head: "IP address",
    kind: "muted",
    label: "IP address",
    cell: ({ ip }) => ip && <span className="mono">{ip}</span>,
  },
  { head: "When", kind: "muted", label: "When", cell: ({ at }) => <RelativeTime at={at} /> },
];

/** The audit log: who did what, newest first. */
export function AuditList() {
  const refusal = useAccess().refusal("audit:read");
  const facts = "Who did what in this workspace. Entries cannot be changed.";
  return (
    <>
      <PageHeader title="Audit log" facts={facts} />
      {refusal === null ? <Entries /> : <EmptyNotice title="Only owners can see the audit log." text={refusal} />}
    </>
  );
}

function Entries() {
  const api = useApi();
  const { read, change } = useUrlState();
  const [page, subjectType, since] = [read("page"), read("about"), read("since")];
  const entries = useQuery({
    queryKey: ["audit-log", page, subjectType, since],
    queryFn: ({ signal }) => {
      const selected = subjectOptions.find(({ value }) => value === subjectType)?.value;
      const period = periods.find(({ value }) => value === since);
      const startDate = period && new Date(Date.now() - period.ms).toISOString();
      return api.callList("listAuditLog", { query: { page, limit: 50, subjectType: selected, startDate }, signal });
    },
    placeholderData: keepPreviousData,
  });
  const clear = () => change({ about: null, since: null });
  return (
    <>
      <FilterBar
        filters={[
          { name: "about", label: "Subject", any: "Any subject", options: subjectOptions, value: subjectType },
          { name: "since", label: "When", any: "Any time", options: periods, value: since },
        ]}
        onChange={change}
      />
      <ListStates
        query={entries}
        failure="The audit log could not be loaded"
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={<NothingFound what="No entries match these filters." onClear={clear} />}
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={(entry) => entry.id} />}
      </ListStates>
    </>
  );
}
