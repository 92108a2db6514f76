"use client";

import Link from "next/link";
import { useState } from "react";
import { EmailField } from "./account-fields.tsx";
import type { EntryAnswer } from "./entry-answer.ts";
import styles from "./entry-form.module.css";
import { EntryForm } from "./entry-form.tsx";
import { useEntryForm } from "./use-entry-form.ts";

/** Asks for a link to set a new password. What it says is the same whether there is such an account or not. */
export function ForgotPasswordForm({ action }: { readonly action: (email: string) => Promise<EntryAnswer> }) {
  const [sent, setSent] = useState(false);
  const form = useEntryForm(
    (text) => action(text("email")),
    () => setSent(true),
  );
  const back = <Link href="/sign-in">Back to signing in</Link>;
  if (sent) {
    return (
      <div className={styles.form}>
        <h1 className={styles.title}>Look into your mailbox</h1>
        <p role="status" className={styles.text}>
          If there is an account with this address, a link to set a new password is on its way. It works for an hour.
        </p>
        <div className={styles.footer}>{back}</div>
      </div>
    );
  }
  const text = "A link to set a new one comes by mail.";
  return (
    <EntryForm title="Forgot your password" text={text} verb="Send the link" {...form} footer={back}>
      <EmailField error={form.problems.email} autoFocus />
    </EntryForm>
  );
}
