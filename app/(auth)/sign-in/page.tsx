import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { pageAfterSignIn } from "#components/auth/page-after-sign-in.ts";
import { SignInForm } from "#components/auth/sign-in-form.tsx";
import { entryWays } from "#lib/accounts/outside-providers.ts";
import { currentUser } from "#lib/auth/session.ts";
import { needsSetUp } from "#lib/workspaces/set-up-workspace.ts";

export const metadata: Metadata = { title: "Sign in" };
export const dynamic = "force-dynamic";

interface SignInPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

const notices: Readonly<Record<string, string>> = { password: "The new password is set. Sign in with it." };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  if (await needsSetUp()) redirect("/setup");
  const params = await searchParams;
  // next-auth calls the requested page `callbackUrl`.
  const next = pageAfterSignIn(params.next ?? pathOf(params.callbackUrl));
  if ((await currentUser()) !== null) redirect(next);
  const { canSignUp, providers } = entryWays();
  const error = typeof params.error === "string" ? params.error : null;
  const notice = typeof params.notice === "string" ? (notices[params.notice] ?? null) : null;
  return <SignInForm next={next} error={error} notice={notice} providers={providers} canSignUp={canSignUp} />;
}

function pathOf(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
