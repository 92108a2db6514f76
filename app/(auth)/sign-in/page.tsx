import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "#components/auth/sign-in-form.tsx";
import { currentSession } from "#lib/auth/session.ts";
import { needsSetUp } from "#lib/workspaces/needs-set-up.ts";

export const metadata: Metadata = { title: "Sign in" };
export const dynamic = "force-dynamic";

export default async function SignInPage() {
  if (await needsSetUp()) redirect("/setup");
  if ((await currentSession()) !== null) redirect("/flows");
  return <SignInForm />;
}
