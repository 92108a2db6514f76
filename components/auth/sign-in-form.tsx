"use client";

import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import styles from "./entry-form.module.css";
import { signInWith } from "./sign-in.ts";

/** `next` is the page that signing in leads to. */
export function SignInForm({ next }: { readonly next: string }) {
  const router = useRouter();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    const failure = await signInWith(String(form.get("email")), String(form.get("password")));
    if (failure === null) {
      router.replace(next);
      router.refresh();
      return;
    }
    setProblem(failure);
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={styles.form}>
      <h1 className={styles.title}>Sign in</h1>
      <Stack gap="sm">
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        />
      </Stack>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Button type="submit" loading={busy} fullWidth>
        Sign in
      </Button>
    </form>
  );
}
