"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import styles from "#components/settings/settings-section.module.css";

export function NameForm({ name: saved }: { readonly name: string }) {
  const { form, change, problem } = useApiForm({
    initialValues: { name: saved },
    run: (api, body) => api.call("updateAccount", { body }),
    stale: ["account", "members"],
    done: "Name changed.",
  });
  return (
    <AccountForm change={change} submit="Save name" isReady={form.values.name.trim() !== saved}>
      <TextInput
        aria-label="Name"
        autoComplete="name"
        {...form.getInputProps("name")}
        error={form.errors.name ?? problem}
      />
    </AccountForm>
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
    <AccountForm
      change={change}
      submit={hasPassword ? "Change password" : "Set password"}
      isReady={form.values.newPassword !== ""}
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
    </AccountForm>
  );
}

interface AccountFormProps {
  readonly change: { readonly isPending: boolean; readonly mutate: (given: undefined) => void };
  readonly submit: string;
  /** There is something to save. */
  readonly isReady: boolean;
  readonly children: ReactNode;
}

function AccountForm({ change, submit, isReady, children }: AccountFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <form onSubmit={send} className={styles.fields} noValidate>
      {children}
      <div>
        <Button type="submit" variant="default" loading={change.isPending} disabled={!isReady}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
