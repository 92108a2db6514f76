import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { pageAfterSignIn } from "#components/auth/asked-path.ts";
import { SignInForm } from "#components/auth/sign-in-form.tsx";
import { currentSession } from "#lib/auth/session.ts";
import { needsSetUp } from "#lib/workspaces/needs-set-up.ts";

export const metadata: Metadata = { title: "Sign in" };
export const dynamic = "force-dynamic";

interface SignInPageProps {
  readonly searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  if (await needsSetUp()) redirect("/setup");
  const next = pageAfterSignIn((await searchParams).next);
  if ((await currentSession()) !== null) redirect(next);
  return <SignInForm next={next} />;
}
