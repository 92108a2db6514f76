"use server";

import { headers } from "next/headers";
import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import type { SetUpInput } from "#components/auth/set-up-form.tsx";
import { requestPasswordReset, resetPassword } from "#lib/accounts/reset-password.ts";
import { currentUser } from "#lib/auth/session.ts";
import { AppError } from "#lib/errors.ts";
import { callerAddress as addressOf } from "#lib/http/authenticate.ts";
import { acceptAsNewUser, acceptAsUser } from "#lib/workspaces/accept-invitation.ts";
import * as workspaces from "#lib/workspaces/new-user.ts";
import { setUpWorkspace } from "#lib/workspaces/set-up-workspace.ts";

/** Creates the first account and its workspace. */
export async function setUp(input: SetUpInput): Promise<EntryAnswer> {
  return await answerForm(async () => setUpWorkspace(input, await callerAddress()));
}

/** Creates an account with its own workspace. */
export async function signUp(input: SetUpInput): Promise<EntryAnswer> {
  return await answerForm(async () => workspaces.signUp(input, await callerAddress()));
}

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

/** Mails a link to set a new password, if the account exists. */
export async function requestReset(email: string): Promise<EntryAnswer> {
  return await answerForm(async () => requestPasswordReset(String(email), await callerAddress()));
}

/** Sets the password of the link's recipient. */
export async function setPassword(token: string, password: string): Promise<EntryAnswer> {
  return await answerForm(async () => resetPassword(String(token), password, await callerAddress()));
}

/** The answer to a form: done, or field errors. Bugs are rethrown. */
async function answerForm(perform: () => Promise<unknown>): Promise<EntryAnswer> {
  try {
    const email = await perform();
    return typeof email === "string" ? { done: true, email } : { done: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.code === "VALIDATION_ERROR" ? Object.entries(error.details ?? {}) : [];
    const fields = Object.fromEntries(details.map(([field, message]) => [field, String(message)]));
    return { done: false, message: error.message, fields };
  }
}

/** The address that a form was sent from; null if unknown. */
async function callerAddress(): Promise<string | null> {
  return addressOf((await headers()).get("x-forwarded-for"));
}
