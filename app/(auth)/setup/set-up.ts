"use server";

import type { SetUpAnswer, SetUpInput } from "#components/auth/set-up-form.tsx";
import { AppError } from "#lib/errors.ts";
import { setUpWorkspace } from "#lib/workspaces/set-up-workspace.ts";

/** Makes the first account and its workspace; what is wrong comes back field by field. */
export async function setUp(input: SetUpInput): Promise<SetUpAnswer> {
  try {
    await setUpWorkspace(input);
    return { done: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fields = Object.entries(error.details ?? {}).map(([field, message]) => [field, String(message)]);
    return { done: false, message: error.message, fields: Object.fromEntries(fields) };
  }
}
