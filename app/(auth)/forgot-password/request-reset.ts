"use server";

import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import { requestPasswordReset } from "#lib/accounts/reset-password.ts";
import { answerForm } from "../answer-form.ts";
import { callerAddress } from "../caller-address.ts";

/** Mails a link to set a new password, if the account exists. */
export async function requestReset(email: string): Promise<EntryAnswer> {
  return await answerForm(async () => await requestPasswordReset(String(email), await callerAddress()));
}
