"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Link } from "#components/page/link.tsx";
import type { EntryAnswer } from "./entry-answer.ts";
import styles from "./entry-form.module.css";
import { EmailField, EntryForm, NewPasswordField, useEntryForm } from "./entry-form.tsx";

/** Requests a password reset link. The answer is the same whether or not the account exists. */
export function ForgotPasswordForm({ action }: { readonly action: (email: string) => Promise<EntryAnswer> }) {
  const [sent, setSent] = useState(false);
  const form = useEntryForm(
    { email: "" },
    ({ email }) => action(email),
    () => setSent(true),
  );
  const back = <Link href="/sign-in">Back to sign-in</Link>;
  if (sent) {
    return (
      <div className={styles.form}>
        <h1 className={styles.title}>Check your email</h1>
        <p role="status" className={styles.text}>
          If there is an account with this address, a link to set a new password is on its way. It works for an hour.
        </p>
        <div className={styles.footer}>{back}</div>
      </div>
    );
  }
  const text = "We will email you a link to set a new one.";
  return (
    <EntryForm title="Forgot your password" text={text} verb="Send link" {...form} footer={back}>
      <EmailField {...form.field("email")} autoFocus />
    </EntryForm>
  );
}

/** Sets a new password from an emailed link, then goes to sign-in. */
export function ResetPasswordForm({ action }: { readonly action: (password: string) => Promise<EntryAnswer> }) {
  const router = useRouter();
  const form = useEntryForm(
    { password: "" },
    ({ password }) => action(password),
    () => router.replace("/sign-in?notice=password"),
  );
  const text = "Setting it signs you out everywhere.";
  return (
    <EntryForm title="Set a new password" text={text} verb="Set password" {...form}>
      <NewPasswordField {...form.field("password")} label="New password" />
    </EntryForm>
  );
}
