"use client";

import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import styles from "./entry-form.module.css";
import { signInWith } from "./sign-in.ts";

export interface SetUpInput {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceName: string;
}

export type SetUpAnswer =
  | { readonly done: true }
  | { readonly done: false; readonly message: string; readonly fields: Readonly<Record<string, string>> };

type Refusal = Extract<SetUpAnswer, { done: false }>;

const unreachable: Refusal = {
  done: false,
  message: "The server did not answer. Check that it is running, then try again.",
  fields: {},
};

/** The first page of a new installation: makes the owner's account and the workspace, and signs in. */
export function SetUpForm({ action }: { readonly action: (input: SetUpInput) => Promise<SetUpAnswer> }) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = readForm(event.currentTarget);
    setBusy(true);
    setRefusal(null);
    const answer = await action(input).catch(() => unreachable);
    if (!answer.done) {
      setRefusal(answer);
      setBusy(false);
      return;
    }
    const failure = await signInWith(input.email, input.password);
    router.replace(failure === null ? "/flows" : "/sign-in");
    router.refresh();
  };
  return (
    <form onSubmit={(event) => void submit(event)} className={styles.form}>
      <h1 className={styles.title}>Set up Millrace</h1>
      <p className={styles.text}>One account to begin with: yours. It owns the workspace and can invite others.</p>
      <SetUpFields problems={refusal?.fields ?? {}} />
      {refusal !== null && Object.keys(refusal.fields).length === 0 && (
        <p role="alert" className={styles.problem}>
          {refusal.message}
        </p>
      )}
      <Button type="submit" loading={busy} fullWidth>
        Create the workspace
      </Button>
    </form>
  );
}

function SetUpFields({ problems }: { readonly problems: Readonly<Record<string, string>> }) {
  const wanted = { required: true, withAsterisk: false } as const;
  return (
    <Stack gap="sm">
      <TextInput name="name" label="Your name" autoComplete="name" autoFocus error={problems.name} {...wanted} />
      <TextInput name="email" type="email" label="Email" autoComplete="username" error={problems.email} {...wanted} />
      <PasswordInput
        name="password"
        label="Password"
        description="At least 8 characters."
        autoComplete="new-password"
        error={problems.password}
        visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        {...wanted}
      />
      <TextInput
        name="workspaceName"
        label="Workspace"
        description="The name of your team or company."
        autoComplete="organization"
        error={problems.workspaceName}
        {...wanted}
      />
    </Stack>
  );
}

function readForm(form: HTMLFormElement): SetUpInput {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "");
  return { name: text("name"), email: text("email"), password: text("password"), workspaceName: text("workspaceName") };
}
