"use client";

import { PasswordInput, TextInput } from "@mantine/core";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { SettingForm } from "#components/settings/settings-row.tsx";
import styles from "#components/settings/settings-section.module.css";

export function NameForm({ name: saved }: { readonly name: string }) {
  const { form, change, problem } = useApiForm({
    initialValues: { name: saved },
    run: (api, body) => api.call("updateAccount", { body }),
    stale: ["account", "members"],
    done: "Name changed.",
  });
  return (
    <SettingForm change={change} submit="Save name" isSame={form.values.name.trim() === saved}>
      <TextInput
        aria-label="Name"
        autoComplete="name"
        {...form.getInputProps("name")}
        error={form.errors.name ?? problem}
      />
    </SettingForm>
  );
}

const revealable = { visibilityToggleButtonProps: { "aria-label": "Show password" } };

/** Changes the password, or sets the first one for an account without. */
export function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const password = useApiForm({
    initialValues: { currentPassword: "", newPassword: "" },
    run: (api, { currentPassword, newPassword }) =>
      api.call("changePassword", { body: hasPassword ? { currentPassword, newPassword } : { newPassword } }),
    stale: ["account", "sessions"],
    done: "Password changed. You are signed out everywhere else.",
    onDone: () => clear(),
  });
  const { form, change, problem } = password;
  const clear = () => form.reset();
  return (
    <SettingForm
      change={change}
      submit={hasPassword ? "Change password" : "Set password"}
      isSame={form.values.newPassword === ""}
    >
      {hasPassword && (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("currentPassword")}
          {...revealable}
        />
      )}
      <PasswordInput
        label="New password"
        description="At least 8 characters."
        autoComplete="new-password"
        {...form.getInputProps("newPassword")}
        {...revealable}
      />
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </SettingForm>
  );
}
