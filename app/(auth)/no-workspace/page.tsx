import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { EntryNotice } from "#components/auth/entry-form.tsx";
import { SignOutButton } from "#components/auth/sign-out-button.tsx";
import { currentSession, currentUser } from "#lib/auth/session.ts";

export const metadata: Metadata = { title: "No workspace" };
export const dynamic = "force-dynamic";

export default async function NoWorkspacePage() {
  const user = await currentUser();
  if (user === null) redirect("/sign-in");
  if ((await currentSession()) !== null) redirect("/flows");
  return (
    <EntryNotice
      title="You are not in a workspace"
      text={`${user.email} is not a member of any workspace. Ask an owner for an invitation.`}
    >
      <SignOutButton next="/sign-in" user={user.userId}>
        Sign out
      </SignOutButton>
    </EntryNotice>
  );
}
