import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SetUpForm } from "#components/auth/set-up-form.tsx";
import { needsSetUp } from "#lib/workspaces/set-up-workspace.ts";
import { setUp } from "../actions.ts";

export const metadata: Metadata = { title: "Set up" };
export const dynamic = "force-dynamic";

export default async function SetUpPage() {
  if (!(await needsSetUp())) redirect("/sign-in");
  const text = "Create the first account: yours. It owns the workspace and can invite others.";
  return <SetUpForm title="Set up Millrace" text={text} action={setUp} />;
}
