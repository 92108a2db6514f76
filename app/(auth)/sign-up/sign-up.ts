"use server";

import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import type { SetUpInput } from "#components/auth/set-up-form.tsx";
import * as workspaces from "#lib/workspaces/new-user.ts";
import { answerForm } from "../answer-form.ts";
import { callerAddress } from "../caller-address.ts";

/** Creates an account with its own workspace. */
export async function signUp(input: SetUpInput): Promise<EntryAnswer> {
  return await answerForm(async () => workspaces.signUp(input, await callerAddress()));
}
