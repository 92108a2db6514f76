"use client";

import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import type { Role } from "#lib/access.ts";
import { roleOf, roleOptions } from "./role-words.ts";

/** Asks whom to invite and in which role, then shows the link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const invite = useChange({
    run: (api) => api.call("createInvitation", { body: { email, role } }),
    stale: ["invitations"],
  });
  if (invite.data !== undefined) {
    const sent = invite.data.mailed
      ? "It was sent by email. You can also share the link yourself."
      : "Share the link yourself.";
    return (
      <SecretOnce
        title={`The invitation for ${invite.data.email}`}
        text={`${sent} It is not shown again. It works once, within 7 days, and only for this address.`}
        secret={invite.data.url}
        copyLabel="Copy link"
        onClose={onClose}
      />
    );
  }
  const problems = fieldProblems(invite.error, (field) => field === "email" || field === "role");
  return (
    <FormDialog
      title="Invite to the workspace"
      submit="Create invitation"
      change={invite}
      problem={problems.rest}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        type="email"
        label="Email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={problems.fields.email}
      />
      <NativeSelect
        label="Role"
        description="Owners manage members and keys, editors build and run flows, viewers can only read."
        data={roleOptions}
        value={role}
        onChange={(event) => setRole(roleOf(event.currentTarget.value))}
        error={problems.fields.role}
      />
    </FormDialog>
  );
}
