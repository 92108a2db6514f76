"use server";

import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import { resetPassword } from "#lib/accounts/reset-password.ts";
import { answerForm } from "../../answer-form.ts";
import { callerAddress } from "../../caller-address.ts";

/** Sets the password of the link's recipient. */
export async function setPassword(token: string, password: string): Promise<EntryAnswer> {
  return await answerForm(async () => resetPassword(String(token), password, await callerAddress()));
}
