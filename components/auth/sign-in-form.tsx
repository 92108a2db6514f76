"use client";

import { Stack, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Link } from "#components/page/link.tsx";
import styles from "./entry-form.module.css";
import { EmailField, EntryForm, PasswordField, useEntryForm } from "./entry-form.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { messageOfError, signInWith } from "./sign-in.ts";

interface SignInFormProps {
  /** The page after signing in. */
  readonly next: string;
  /** Why the page is shown again: an `error` from the attempt, or good news. */
  readonly error: string | null;
  readonly notice: string | null;
  readonly providers: readonly string[];
  readonly canSignUp: boolean;
}

export function SignInForm({ next, error, notice, providers, canSignUp }: SignInFormProps) {
  const router = useRouter();
  const [asksCode, setAsksCode] = useState(false);
  const form = useEntryForm(
    { email: "", password: "", code: "" },
    async ({ email, password, code }) => {
      const failure = await signInWith({ email, password, code: code.trim() });
      if (failure === null) return { done: true };
      if (failure.codeRequired) setAsksCode(true);
      return { done: false, message: failure.message, fields: failure.codeRequired ? { code: "" } : {} };
    },
    () => {
      router.replace(next);
      router.refresh();
    },
  );
  const problem = form.problem ?? (error === null || form.busy ? null : messageOfError(error));
  const footer = (
    <>
      <Link href="/forgot-password">Forgot your password?</Link>
      {canSignUp && (
        <span>
          No account yet? <Link href="/sign-up">Sign up</Link>
        </span>
      )}
    </>
  );
  return (
    <EntryForm title="Sign in" verb="Sign in" {...form} problem={problem} footer={footer}>
      {notice && <p className={styles.notice}>{notice}</p>}
      {providers.length > 0 && (
        <>
          <ProviderButtons providers={providers} next={next} verb="Sign in with" />
          <span className={styles.divider}>or</span>
        </>
      )}
      <Stack gap="sm">
        <EmailField {...form.field("email")} autoFocus />
        <PasswordField {...form.field("password")} />
        {asksCode && (
          <TextInput
            label="Code"
            description="From your authenticator app, or one of your recovery codes."
            autoComplete="one-time-code"
            autoFocus
            required
            withAsterisk={false}
            {...form.field("code")}
          />
        )}
      </Stack>
    </EntryForm>
  );
}
