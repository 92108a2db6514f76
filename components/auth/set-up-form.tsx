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
    { name: "", email: "", password: "", workspaceName: "" },
    async (typed) => {
      const answer = await action(typed);
      if (!answer.done) return answer;
      const { email, password } = typed;
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
        <NameField {...form.field("name")} />
        <EmailField {...form.field("email")} />
        <NewPasswordField {...form.field("password")} />
        <WorkspaceField {...form.field("workspaceName")} />
      </Stack>
    </EntryForm>
  );
}
