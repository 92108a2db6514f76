"use client";

import { IconUserMinus } from "@tabler/icons-react";
import { useState } from "react";
import { useAccess } from "#components/api/use-access.ts";
import { useChange } from "#components/api/use-change.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { ShownMember } from "#lib/contract/members.ts";

export function MemberActions({ member }: { readonly member: ShownMember }) {
  const refusal = useAccess().refusal("members:write");
  const [asked, setAsked] = useState(false);
  const remove = useChange({
    run: (api, id: string) => api.call("removeMember", { params: { id } }),
    stale: ["members"],
    done: `${member.name} is not a member any more.`,
    failed: `${member.name} was not removed.`,
  });
  if (refusal !== null) return null;
  return (
    <>
      <RowMenu
        label={`Actions for ${member.name}`}
        entries={[{ label: "Remove", icon: IconUserMinus, onChoose: () => setAsked(true), danger: true }]}
      />
      <ConfirmDialog
        title={`Remove ${member.name}`}
        confirm="Remove the member"
        keep="Keep them"
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate(member.id)}
      >
        {member.email} is out from the next click on. Flows, runs and keys that they made stay.
      </ConfirmDialog>
    </>
  );
}
