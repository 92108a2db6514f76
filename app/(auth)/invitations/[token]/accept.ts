"use server";

import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import { currentUser } from "#lib/auth/session.ts";
import { AppError } from "#lib/errors.ts";
import { acceptAsNewUser, acceptAsUser } from "#lib/workspaces/accept-invitation.ts";
import { answerForm } from "../../answer-form.ts";
import { callerAddress } from "../../caller-address.ts";

/** Creates the invited account; the answer has its address, for signing in. */
export async function acceptAsNew(token: string, input: { name: string; password: string }): Promise<EntryAnswer> {
  return await answerForm(async () => acceptAsNewUser(String(token), input, await callerAddress()));
}

/** Adds the signed-in person to the workspace. */
export async function join(token: string): Promise<EntryAnswer> {
  return await answerForm(async () => {
    const user = await currentUser();
    if (user === null) throw new AppError("UNAUTHORIZED", "Sign in first");
    await acceptAsUser(String(token), user);
  });
}
