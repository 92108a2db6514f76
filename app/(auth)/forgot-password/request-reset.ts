"use server";

import { headers } from "next/headers";
import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import { requestPasswordReset } from "#lib/accounts/request-password-reset.ts";
import { answerForm } from "../answer-form.ts";

/** Mails a link to set a new password, if there is such an account. */
export async function requestReset(email: string): Promise<EntryAnswer> {
  const ip = (await headers()).get("x-forwarded-for")?.split(",")[0]?.trim() ?? null;
  return await answerForm(() => requestPasswordReset(String(email), ip));
}
