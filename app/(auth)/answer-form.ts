import type { EntryAnswer } from "#components/auth/entry-answer.ts";
import { AppError } from "#lib/errors.ts";

/** The answer to a form: done, or field errors. Bugs are rethrown. */
export async function answerForm(perform: () => Promise<unknown>): Promise<EntryAnswer> {
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
