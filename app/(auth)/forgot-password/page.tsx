import type { Metadata } from "next";
import { EntryNotice } from "#components/auth/entry-form.tsx";
import { ForgotPasswordForm } from "#components/auth/password-forms.tsx";
import { Link } from "#components/page/link.tsx";
import { entryWays } from "#lib/accounts/outside-providers.ts";
import { requestReset } from "../actions.ts";

export const metadata: Metadata = { title: "Forgot your password" };
export const dynamic = "force-dynamic";

export default function ForgotPasswordPage() {
  if (entryWays().canReset) return <ForgotPasswordForm action={requestReset} />;
  return (
    <EntryNotice
      title="Forgot your password"
      text={
        <>
          This server doesn’t send email. Its operator can create a link for you:{" "}
          <code>{"npm run reset-password -- <your email>"}</code>
        </>
      }
    >
      <Link href="/sign-in">Back to sign-in</Link>
    </EntryNotice>
  );
}
