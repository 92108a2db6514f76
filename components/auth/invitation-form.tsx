"use client";

import { Stack } from "@mantine/core";
import { useRouter } from "next/navigation";
import type { EntryAnswer } from "./entry-answer.ts";
import { EntryForm, NameField, NewPasswordField, useEntryForm } from "./entry-form.tsx";
import { signInWith } from "./sign-in.ts";

interface InvitationProps {
  readonly title: string;
  readonly text: string;
}

interface NewMemberProps extends InvitationProps {
  readonly action: (input: { name: string; password: string }) => Promise<EntryAnswer>;
}

/** For an invited person without an account: creates it and signs in. */
export function NewMemberForm({ title, text, action }: NewMemberProps) {
  const router = useRouter();
  const form = useEntryForm(
    { name: "", password: "" },
    async ({ name, password }) => {
      const answer = await action({ name, password });
      if (!answer.done || answer.email === undefined) return answer;
      return (await signInWith({ email: answer.email, password })) === null ? answer : { done: true };
    },
    (answer) => {
      router.replace(answer.done && answer.email !== undefined ? "/flows" : "/sign-in");
      router.refresh();
    },
  );
  return (
    <EntryForm title={title} text={text} verb="Join the workspace" {...form}>
      <Stack gap="sm">
        <NameField {...form.field("name")} />
        <NewPasswordField {...form.field("password")} />
      </Stack>
    </EntryForm>
  );
}

interface JoinProps extends InvitationProps {
  readonly action: () => Promise<EntryAnswer>;
}

/** For an invited person who is signed in: one click. */
export function JoinForm({ title, text, action }: JoinProps) {
  const router = useRouter();
  const form = useEntryForm({}, action, () => {
    router.replace("/flows");
    router.refresh();
  });
  return <EntryForm title={title} text={text} verb="Join the workspace" {...form} />;
}
