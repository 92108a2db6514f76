"use client";
import { NativeSelect } from "@mantine/core";
import { IconUserMinus } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { type Api, useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { type Column, DataTable, DataTableSkeleton } from "#components/list/data-table.tsx";
import { ListStates } from "#components/list/list-states.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { Role } from "#lib/access.ts";
import type { ShownMember } from "#lib/contract/accounts/members.ts";
import { InvitationList, roleInWords, roleOf, roleOptions } from "./invitation-list.tsx";

const InviteDialog = lazyPart(async () => ({ default: (await import("./invite-dialog.tsx")).InviteDialog }));

const columns: readonly Column<ShownMember>[] = [
  { head: "Name", kind: "lead", width: 120, cell: (member) => <strong>{member.name}</strong> },
  { head: "Email", kind: "muted", width: 160, cell: (member) => member.email },
  { head: "Role", width: 100, cell: (member) => <MemberRole member={member} /> },
  {
    head: "Two-factor",
    kind: "muted",
    label: "Two-factor",
    cell: (member) => (member.twoFactor ? "on" : "off"),
  },
  { head: "Joined", kind: "muted", label: "Joined", cell: (member) => <RelativeTime at={member.joinedAt} /> },
  { head: "Actions", kind: "actions", width: 24, cell: (member) => <MemberActions member={member} /> },
];

/** The members page: members with their roles, and pending invitations. */
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
        facts="Owners manage the workspace, editors build and run flows, viewers can only read."
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

/** A member's role; owners can change it in place. */
function MemberRole({ member }: { readonly member: ShownMember }) {
  const refusal = useAccess().refusal("members:write");
  const set = {
    run: (api: Api, role: Role) => api.call("updateMember", { params: { id: member.id }, body: { role } }),
    stale: ["members", "account"],
    failed: "The role was not changed.",
  };
  const back = useChange(set);
  const change = useChange({
    ...set,
    done: ({ name, role }) => `${name} is ${role === "viewer" ? "a" : "an"} ${role} now.`,
    undo: () => back.mutate(member.role),
  });
  if (refusal !== null) return <span>{roleInWords(member.role)}</span>;
  return (
    <NativeSelect
      aria-label={`Role of ${member.name}`}
      data={roleOptions}
      value={change.isPending ? change.variables : member.role}
      disabled={change.isPending}
      onChange={(event) => change.mutate(roleOf(event.currentTarget.value))}
      w={112}
    />
  );
}

function MemberActions({ member }: { readonly member: ShownMember }) {
  const refusal = useAccess().refusal("members:write");
  const [isAsking, setAsking] = useState(false);
  const remove = useChange({
    run: (api, id: string) => api.call("removeMember", { params: { id } }),
    stale: ["members"],
    done: `${member.name} is no longer a member.`,
    failed: `${member.name} was not removed.`,
  });
  if (refusal !== null) return null;
  return (
    <>
      <RowMenu
        label={`Actions for ${member.name}`}
        entries={[{ label: "Remove", icon: IconUserMinus, onChoose: () => setAsking(true), danger: true }]}
      />
      <ConfirmDialog
        title={`Remove ${member.name}`}
        confirm="Remove member"
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate(member.id)}
      >
        {member.email} loses access immediately. The flows, runs and keys they created stay.
      </ConfirmDialog>
    </>
  );
}
