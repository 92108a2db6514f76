"use server";

import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import type { SetUpInput } from "#components/auth/set-up-form.tsx";
import { setUpWorkspace } from "#lib/workspaces/set-up-workspace.ts";
import { answerForm } from "../answer-form.ts";
import { callerAddress } from "../caller-address.ts";

/** Creates the first account and its workspace. */
export async function setUp(input: SetUpInput): Promise<EntryAnswer> {
  return await answerForm(async () => setUpWorkspace(input, await callerAddress()));
}
