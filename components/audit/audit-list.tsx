"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAccess } from "#components/api/use-access.ts";
import { useApi } from "#components/api/use-api.ts";
import { periods } from "#components/executions/list/run-filter.ts";
import { type Column, DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { FilterBar } from "#components/page/filter-bar.tsx";
import { ListStates } from "#components/page/list-states.tsx";
import { NothingFound } from "#components/page/nothing-found.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { ShortId } from "#components/page/short-id.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownAuditEntry } from "#lib/contract/audit-log.ts";
import { changeInWords, isRun, subjectOptions, whatInWords } from "./audit-words.ts";

const columns: readonly Column<ShownAuditEntry>[] = [
  {
    head: "What",
    kind: "lead",
    width: 160,
    cell: (entry) => (
      <>
        <strong>{whatInWords(entry)}</strong> {isRun(entry.subject) && <ShortId id={entry.subject.id} what="run" />}
      </>
    ),
  },
  { head: "Change", kind: "muted", width: 180, cell: changeInWords },
  {
    head: "Who",
    width: 140,
    cell: ({ actor }) => (actor.kind === "key" ? `the key ${actor.name}` : actor.name || "the service"),
  },
  { head: "From", kind: "muted", label: "From", cell: ({ ip }) => ip && <span className="mono">{ip}</span> },
  { head: "When", kind: "muted", label: "When", cell: ({ at }) => <RelativeTime at={at} /> },
];

/** The page of the audit log: who did what, the newest first. */
export function AuditList() {
  const refusal = useAccess().refusal("audit:read");
  const facts = "Who did what in this workspace. Nothing in it can be changed.";
  return (
    <>
      <PageHeader title="Audit log" facts={facts} />
      {refusal === null ? <Entries /> : <EmptyNotice title="The audit log is for owners." text={refusal} />}
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
      const asked = subjectOptions.find(({ value }) => value === subjectType)?.value;
      const period = periods.find(({ value }) => value === since);
      const startDate = period && new Date(Date.now() - period.ms).toISOString();
      return api.callList("listAuditLog", { query: { page, limit: 50, subjectType: asked, startDate }, signal });
    },
    placeholderData: keepPreviousData,
  });
  const clear = () => change({ about: null, since: null });
  return (
    <>
      <FilterBar
        filters={[
          { name: "about", label: "About", any: "About anything", options: subjectOptions, value: subjectType },
          { name: "since", label: "When", any: "At any time", options: periods, value: since },
        ]}
        onChange={change}
      />
      <ListStates
        query={entries}
        failure="The audit log could not be loaded"
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={<NothingFound what="Nothing of this kind was done yet." onClear={clear} />}
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={(entry) => entry.id} />}
      </ListStates>
    </>
  );
}
