"use client";

import { Button, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import styles from "#components/settings/settings-section.module.css";

const shown = { visibilityToggleButtonProps: { "aria-label": "Show password" } };

/** Changes the password, or sets the first one for an account without. */
export function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const change = useChange({
    run: (api) =>
      api.call("changePassword", { body: hasPassword ? { currentPassword, newPassword } : { newPassword } }),
    stale: ["account", "sessions"],
    done: "Password changed. You are signed out everywhere else.",
    onDone: () => {
      setCurrent("");
      setNew("");
    },
  });
  const problems = fieldProblems(change.error, (field) => field === "currentPassword" || field === "newPassword");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <form onSubmit={submit} className={styles.fields} noValidate>
      {hasPassword && (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={problems.fields.currentPassword}
          {...shown}
        />
      )}
      <PasswordInput
        label="New password"
        description="At least 8 characters."
        autoComplete="new-password"
        value={newPassword}
        onChange={(event) => setNew(event.currentTarget.value)}
        error={problems.fields.newPassword}
        {...shown}
      />
      {problems.rest && (
        <p role="alert" className={styles.problem}>
          {problems.rest}
        </p>
      )}
      <div>
        <Button type="submit" variant="default" loading={change.isPending} disabled={newPassword === ""}>
          {hasPassword ? "Change password" : "Set a password"}
        </Button>
      </div>
    </form>
  );
}
