import type { Metadata } from "next";
import { EntryNotice } from "#components/auth/entry-form.tsx";
import { JoinForm, NewMemberForm } from "#components/auth/invitation-form.tsx";
import { ProviderButtons } from "#components/auth/provider-buttons.tsx";
import { SignOutButton } from "#components/auth/sign-out-button.tsx";
import { Link } from "#components/page/link.tsx";
import { LinkButton } from "#components/page/link-button.tsx";
import { entryWays } from "#lib/accounts/outside-providers.ts";
import { currentUser } from "#lib/auth/session.ts";
import { findInvitation } from "#lib/workspaces/invitations.ts";
import { acceptAsNew, join } from "../../actions.ts";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };
export const dynamic = "force-dynamic";

export default async function InvitationPage({ params }: { readonly params: Promise<{ token: string }> }) {
  const { token } = await params;
  const [invitation, user] = await Promise.all([findInvitation(token), currentUser()]);
  if (invitation === null) {
    const text = "It was used or withdrawn, or it has expired. Ask whoever invited you for a new one.";
    return (
      <EntryNotice title="This invitation is no longer valid" text={text}>
        <Link href="/sign-in">Go to sign-in</Link>
      </EntryNotice>
    );
  }
  const { email, role, invitedBy, workspaceName } = invitation;
  const title = `Join ${workspaceName}`;
  const text = `${invitedBy} invites ${email} as ${role === "owner" ? "an owner" : `${role === "editor" ? "an" : "a"} ${role}`}.`;
  if (user?.email === email) return <JoinForm title={title} text={text} action={join.bind(null, token)} />;
  const here = `/invitations/${token}`;
  if (user !== null) {
    return (
      <EntryNotice title={title} text={`${text} You are signed in as ${user.email}.`}>
        <SignOutButton next={here} user={user.userId}>{`Sign out to continue as ${email}`}</SignOutButton>
      </EntryNotice>
    );
  }
  if (invitation.hasAccount) {
    return (
      <EntryNotice title={title} text={`${text} Sign in to accept.`}>
        <LinkButton href={`/sign-in?${new URLSearchParams({ next: here })}`}>Sign in</LinkButton>
      </EntryNotice>
    );
  }
  return (
    <>
      <NewMemberForm title={title} text={text} action={acceptAsNew.bind(null, token)} />
      <ProviderButtons providers={entryWays().providers} next="/flows" verb="Join with" />
    </>
  );
}
