"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { type Column, DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { ListStates } from "#components/page/list-states.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownMember } from "#lib/contract/members.ts";
import { InvitationList } from "./invitation-list.tsx";
import { MemberActions } from "./member-actions.tsx";
import { MemberRole } from "./member-role.tsx";

const InviteDialog = lazy(async () => ({ default: (await import("./invite-dialog.tsx")).InviteDialog }));

const columns: readonly Column<ShownMember>[] = [
  { head: "Name", kind: "lead", width: 120, cell: (member) => <strong>{member.name}</strong> },
  { head: "Email", kind: "muted", width: 160, cell: (member) => member.email },
  { head: "Role", width: 100, cell: (member) => <MemberRole member={member} /> },
  {
    head: "Second factor",
    kind: "muted",
    label: "Second factor",
    cell: (member) => (member.twoFactor ? "on" : "off"),
  },
  { head: "Joined", kind: "muted", label: "Joined", cell: (member) => <RelativeTime at={member.joinedAt} /> },
  { head: "Actions", kind: "actions", width: 24, cell: (member) => <MemberActions member={member} /> },
];

/** The page of members: who works here, as what, and who is invited. */
export function MemberList() {
  const api = useApi();
  const page = useUrlState().read("page");
  const [inviting, setInviting] = useState(false);
  const members = useQuery({
    queryKey: ["members", page],
    queryFn: ({ signal }) => api.callList("listMembers", { query: { page, limit: 50 }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Members"
        facts="Owners manage the workspace, editors make and run flows, viewers look."
        actions={
          <GuardedButton scope="members:write" onClick={() => setInviting(true)}>
            Invite
          </GuardedButton>
        }
      />
      <ListStates
        query={members}
        failure="The members could not be loaded"
        skeleton={<DataTableSkeleton columns={columns} />}
        empty={null}
      >
        {(items) => <DataTable columns={columns} rows={items} keyOf={(member) => member.id} />}
      </ListStates>
      <InvitationList />
      {inviting && (
        <Suspense>
          <InviteDialog onClose={() => setInviting(false)} />
        </Suspense>
      )}
    </>
  );
}
