"use client";

import { Button, PasswordInput } from "@mantine/core";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import styles from "#components/settings/settings-section.module.css";

const shown = { visibilityToggleButtonProps: { "aria-label": "Show password" } };

/** Changes the password; who came in another way sets their first one. */
export function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const { form, change, problem } = useApiForm({
    initialValues: { currentPassword: "", newPassword: "" },
    run: (api, { currentPassword, newPassword }) =>
      api.call("changePassword", { body: hasPassword ? { currentPassword, newPassword } : { newPassword } }),
    stale: ["account", "sessions"],
    done: "Password changed. You are signed out everywhere else.",
    onDone: () => form.reset(),
  });
  return (
    <form onSubmit={form.onSubmit(() => change.mutate(undefined))} className={styles.fields} noValidate>
      {hasPassword && (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
          {...shown}
        />
      )}
      <PasswordInput
        label="New password"
        description="At least 8 characters."
        autoComplete="new-password"
        {...form.getInputProps("newPassword")}
        {...shown}
      />
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div>
        <Button type="submit" variant="default" loading={change.isPending} disabled={form.values.newPassword === ""}>
          {hasPassword ? "Change password" : "Set a password"}
        </Button>
      </div>
    </form>
  );
}
