import type { Metadata } from "next";
import { EntryNotice } from "#components/auth/entry-form.tsx";
import { ResetPasswordForm } from "#components/auth/password-forms.tsx";
import { Link } from "#components/page/link.tsx";
import { isOpenReset } from "#lib/accounts/reset-password.ts";
import { setPassword } from "../../actions.ts";

export const metadata: Metadata = { title: "Set a new password", referrer: "no-referrer" };
export const dynamic = "force-dynamic";

export default async function ResetPasswordPage({ params }: { readonly params: Promise<{ token: string }> }) {
  const { token } = await params;
  if (await isOpenReset(token)) return <ResetPasswordForm action={setPassword.bind(null, token)} />;
  return (
    <EntryNotice title="This link is no longer valid" text="It has been used, or it is more than an hour old.">
      <Link href="/forgot-password">Ask for a new link</Link>
    </EntryNotice>
  );
}
