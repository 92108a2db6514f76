"use client";

import { NativeSelect, TextInput } from "@mantine/core";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import type { Role } from "#lib/access.ts";
import { roleOptions } from "./invitation-list.tsx";

/** Asks whom to invite and in which role, then shows the link once. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { form, change, problem } = useApiForm({
    initialValues: { email: "", role: "editor" as Role },
    run: (api, body) => api.call("createInvitation", { body }),
    stale: ["invitations"],
  });
  if (change.data !== undefined) {
    const sent = change.data.mailed
      ? "It was sent by email. You can also share the link yourself."
      : "Share the link yourself.";
    return (
      <SecretOnce
        title={`The invitation for ${change.data.email}`}
        text={`${sent} It is not shown again. It works once, within 7 days, and only for this address.`}
        secret={change.data.url}
        copyLabel="Copy link"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Invite to the workspace"
      submit="Create invitation"
      change={change}
      problem={problem}
      onClose={onClose}
    >
      <TextInput data-autofocus type="email" label="Email" {...form.getInputProps("email")} />
      <NativeSelect
        label="Role"
        description="Owners manage members and keys, editors build and run flows, viewers can only read."
        data={roleOptions}
        {...form.getInputProps("role")}
      />
    </FormDialog>
  );
}
