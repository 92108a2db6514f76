import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SetUpForm } from "#components/auth/set-up-form.tsx";
import { entryWays } from "#lib/accounts/outside-providers.ts";
import { signUp } from "../actions.ts";

export const metadata: Metadata = { title: "Sign up" };
export const dynamic = "force-dynamic";

export default function SignUpPage() {
  if (!entryWays().canSignUp) redirect("/sign-in");
  const text = "Create an account with its own workspace. You can invite others.";
  return <SetUpForm title="Sign up" text={text} action={signUp} />;
}
