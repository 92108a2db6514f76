"use client";

import { Text, TextInput } from "@mantine/core";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface CodeDialogProps {
  readonly action: "renew" | "disable";
  readonly onClose: () => void;
}

const words = {
  renew: {
    title: "New recovery codes",
    text: "Your current codes stop working. Enter a code from your app to confirm.",
    submit: "Create new codes",
  },
  disable: {
    title: "Turn off the authenticator app",
    text: "Sign-in will ask for your password only. Enter a code from your app, or a recovery code.",
    submit: "Turn off",
  },
} as const;

/** Asks for a code before an action that needs the second factor. */
export default function CodeDialog({ action, onClose }: CodeDialogProps) {
  const renew = useApiForm({
    initialValues: { code: "" },
    run: (api, body) => api.call("renewRecoveryCodes", { body }),
    stale: [],
  });
  const disable = useApiForm({
    initialValues: { code: "" },
    run: (api, body) => api.call("endTwoFactor", { body }),
    stale: ["account", "members"],
    done: "The authenticator app is turned off.",
    onDone: onClose,
  });
  if (renew.change.data !== undefined)
    return <RecoveryCodes codes={renew.change.data.recoveryCodes} onClose={onClose} />;
  const { form, change, problem } = action === "renew" ? renew : disable;
  const { title, text, submit } = words[action];
  return (
    <FormDialog title={title} submit={submit} change={change} problem={problem} onClose={onClose}>
      <Text size="sm">{text}</Text>
      <TextInput data-autofocus label="Code" autoComplete="one-time-code" {...form.getInputProps("code")} />
    </FormDialog>
  );
}
