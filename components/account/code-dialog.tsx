"use client";

import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface CodeDialogProps {
  readonly what: "renew" | "disable";
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
export function CodeDialog({ what, onClose }: CodeDialogProps) {
  const [code, setCode] = useState("");
  const renew = useChange({
    run: (api) => api.call("renewRecoveryCodes", { body: { code } }),
    stale: [],
  });
  const disable = useChange({
    run: (api) => api.call("endTwoFactor", { body: { code } }),
    stale: ["account", "members"],
    done: "The authenticator app is off.",
    onDone: onClose,
  });
  if (renew.data !== undefined) return <RecoveryCodes codes={renew.data.recoveryCodes} onClose={onClose} />;
  const change = what === "renew" ? renew : disable;
  const problems = fieldProblems(change.error, (field) => field === "code");
  const { title, text, submit } = words[what];
  return (
    <FormDialog title={title} submit={submit} change={change} problem={problems.rest} onClose={onClose}>
      <Text size="sm">{text}</Text>
      <TextInput
        data-autofocus
        label="Code"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={problems.fields.code}
      />
    </FormDialog>
  );
}
