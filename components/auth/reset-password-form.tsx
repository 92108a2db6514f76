"use client";

import { useRouter } from "next/navigation";
import { NewPasswordField } from "./account-fields.tsx";
import type { EntryAnswer } from "./entry-answer.ts";
import { EntryForm } from "./entry-form.tsx";
import { useEntryForm } from "./use-entry-form.ts";

/** Sets a new password by the link of a mail; leads to signing in with it. */
export function ResetPasswordForm({ action }: { readonly action: (password: string) => Promise<EntryAnswer> }) {
  const router = useRouter();
  const form = useEntryForm(
    (text) => action(text("password")),
    () => router.replace("/sign-in?notice=password"),
  );
  const text = "You are signed out everywhere when it is set.";
  return (
    <EntryForm title="Set a new password" text={text} verb="Set the password" {...form}>
      <NewPasswordField error={form.problems.password} label="New password" />
    </EntryForm>
  );
}
