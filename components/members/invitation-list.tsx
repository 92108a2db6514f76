"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { useDeletion, useRemaining } from "#components/deletion/pending-deletion.ts";
import { type Column, DataTable } from "#components/list/data-table.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import section from "#components/settings/settings-section.module.css";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { type Role, roles } from "#lib/access.ts";
import type { ShownInvitation } from "#lib/contract/accounts/members.ts";

const words: Record<Role, string> = { owner: "Owner", editor: "Editor", viewer: "Viewer" };

export const roleOptions = roles.map((value) => ({ value, label: words[value] }));

export function roleInWords(role: Role): string {
  return words[role];
}

/** The role of a selected option. */
export function roleOf(value: string): Role {
  return roles.find((role) => role === value) ?? "viewer";
}

const columns: readonly Column<ShownInvitation>[] = [
  { head: "Email", kind: "lead", cell: (invitation) => <strong>{invitation.email}</strong> },
  { head: "Role", cell: (invitation) => roleInWords(invitation.role) },
  { head: "Invited by", kind: "muted", label: "Invited by", cell: (invitation) => invitation.invitedBy },
  {
    head: "Expires",
    kind: "muted",
    label: "Expires",
    cell: (invitation) => <RelativeTime at={invitation.expiresAt} />,
  },
  { head: "Actions", kind: "actions", cell: (invitation) => <Withdraw invitation={invitation} /> },
];

/** Pending invitations; nothing if there are none. */
export function InvitationList() {
  const api = useApi();
  const invitations = useRemaining(
    useQuery({
      queryKey: ["invitations"],
      queryFn: ({ signal }) => api.callList("listInvitations", { query: { limit: 100 }, signal }),
    }),
  );
  const items = invitations.data?.items ?? [];
  const isMissing = invitations.isError && invitations.data === undefined;
  if (items.length === 0 && !isMissing) return null;
  return (
    <section className={section.section}>
      <h2 className={section.heading}>Pending invitations</h2>
      {isMissing ? (
        <FailureNotice
          title="The invitations could not be loaded"
          error={invitations.error}
          onRetry={() => void invitations.refetch()}
        />
      ) : (
        <DataTable columns={columns} rows={items} keyOf={(invitation) => invitation.id} />
      )}
    </section>
  );
}

function Withdraw({ invitation }: { readonly invitation: ShownInvitation }) {
  const withdraw = useDeletion();
  const { id, email } = invitation;
  return (
    <GuardedButton
      scope="members:write"
      variant="subtle"
      size="compact-sm"
      onClick={() =>
        withdraw({
          id,
          message: `The invitation for ${email} was withdrawn.`,
          run: (api) => api.call("deleteInvitation", { params: { id }, keepalive: true }),
          stale: ["invitations"],
          failed: "The invitation was not withdrawn.",
        })
      }
    >
      Withdraw
    </GuardedButton>
  );
}
