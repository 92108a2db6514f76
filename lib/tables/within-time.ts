import type { RunStatement } from "#lib/platform/database.ts";
import { hasCode, invalid } from "./table.ts";

/** How long a statement may scan rows without an index. */
const statementMsMax = 5_000;
export const secondsMax = statementMsMax / 1_000;

/** Not prepared: for statements that differ each time. */
export const unprepared = "";

/**
 * Runs statements of a transaction that may take long. Throws VALIDATION_ERROR with `refusal` if one takes longer than
 * `msMax`.
 */
export async function withinTime<T>(
  run: RunStatement,
  refusal: Readonly<Record<string, string>>,
  work: () => Promise<T>,
  msMax: number = statementMsMax,
): Promise<T> {
  try {
    await run(unprepared, `SET LOCAL statement_timeout = ${msMax}`, []);
    const done = await work();
    await run(unprepared, "SET LOCAL statement_timeout TO DEFAULT", []);
    return done;
  } catch (error) {
    if (!hasCode(error, "57014")) throw error;
    throw invalid(refusal, error);
  }
}
