"use client";

import { Stack } from "@mantine/core";
import { useRouter } from "next/navigation";
import type { EntryAnswer } from "./entry-answer.ts";
import { EmailField, EntryForm, NameField, NewPasswordField, useEntryForm, WorkspaceField } from "./entry-form.tsx";
import { signInWith } from "./sign-in.ts";

export interface SetUpInput {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceName: string;
}

interface SetUpFormProps {
  readonly title: string;
  readonly text: string;
  readonly action: (input: SetUpInput) => Promise<EntryAnswer>;
}

/** Creates an account with its own workspace and signs in: the first owner's, or a sign-up. */
export function SetUpForm({ title, text, action }: SetUpFormProps) {
  const router = useRouter();
  const form = useEntryForm(
    async (text) => {
      const [name, email, password] = [text("name"), text("email"), text("password")];
      const answer = await action({ name, email, password, workspaceName: text("workspaceName") });
      if (!answer.done) return answer;
      return (await signInWith({ email, password })) === null ? { done: true, email } : { done: true };
    },
    (answer) => {
      router.replace(answer.done && answer.email ? "/flows" : "/sign-in");
      router.refresh();
    },
  );
  return (
    <EntryForm title={title} text={text} verb="Create workspace" {...form}>
      <Stack gap="sm">
        <NameField error={form.problems.name} />
        <EmailField error={form.problems.email} />
        <NewPasswordField error={form.problems.password} />
        <WorkspaceField error={form.problems.workspaceName} />
      </Stack>
    </EntryForm>
  );
}
