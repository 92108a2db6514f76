import { AppError } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { completeSchedule, nextTimes, scheduleProblems } from "./schedule.ts";

const timesMax = 5;

/** The next times of a schedule, for who is about to choose it. Throws VALIDATION_ERROR. */
export async function previewSchedule(config: { readonly cron?: unknown; readonly timezone?: unknown }) {
  const problems = scheduleProblems(config);
  if (problems.length > 0) {
    const details = Object.fromEntries(problems.map(({ field, message }) => [field, message]));
    throw new AppError("VALIDATION_ERROR", "This is not a schedule", { details });
  }
  return { times: nextTimes(completeSchedule(config), timeNow(), timesMax).map(iso) };
}
