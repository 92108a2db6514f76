import { AppError } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import type { Prisma, PrismaClient } from "#lib/platform/prisma/client.ts";
import { completeSchedule, nextTime, nextTimes, type Schedule, scheduleProblems, timesBetween } from "./schedule.ts";

/** The database, or a transaction in it. */
type Writer = Pick<PrismaClient, "$executeRaw" | "flowSchedule">;

/**
 * Stores the flow's next time, in the transaction that changes the flow. If the schedule is unchanged, keeps the time,
 * so that one that has just become due is not skipped.
 */
export function storeSchedule(
  database: Writer,
  flowId: string,
  { cron, timezone, misfire }: Schedule,
  now: Date,
): Prisma.PrismaPromise<number> {
  const next = nextTime({ cron, timezone }, now);
  return database.$executeRaw`
    INSERT INTO flow_schedule (flow_id, cron, timezone, misfire, next_run_at)
    VALUES (${flowId}, ${cron}, ${timezone}, ${misfire}, ${next})
    ON CONFLICT (flow_id) DO UPDATE SET cron = excluded.cron, timezone = excluded.timezone, misfire = excluded.misfire,
      next_run_at = CASE WHEN (flow_schedule.cron, flow_schedule.timezone) = (excluded.cron, excluded.timezone)
        THEN flow_schedule.next_run_at ELSE excluded.next_run_at END`;
}

/** Removes the flow's schedule. */
export async function dropSchedule(database: Writer, flowId: string): Promise<void> {
  await database.flowSchedule.deleteMany({ where: { flowId } });
}

const timesMax = 5;

/** The next times of a schedule, as a preview. Throws VALIDATION_ERROR. */
export async function previewSchedule(config: { readonly cron?: unknown; readonly timezone?: unknown }) {
  const problems = scheduleProblems(config);
  if (problems.length > 0) {
    const details = Object.fromEntries(problems.map(({ field, message }) => [field, message]));
    throw new AppError("VALIDATION_ERROR", "This is not a schedule", { details });
  }
  return { times: nextTimes(completeSchedule(config), timeNow(), timesMax).map(iso) };
}

/** A time that gets a run, and how many earlier missed times that run covers. */
export interface DueTime {
  readonly at: Date;
  readonly missed: number;
}

/** A time handled within this is not missed. */
const lateMsMax = 90_000;
/** The maximum number of runs for due times at once: the latest ones. */
const dueTimesMax = 100;

/**
 * The times from `from` on that get a run at `now`. Those within the last 90 seconds always do. Earlier ones were
 * missed, for example while no server ran: `skip` drops them, `once` makes one run for all, `all` one for each.
 */
export function dueTimes(schedule: Schedule, from: Date, now: Date): DueTime[] {
  const times = timesBetween(schedule, from, now, dueTimesMax);
  const missed = times.filter((at) => now.getTime() - at.getTime() > lateMsMax);
  const remaining = times.slice(missed.length);
  if (schedule.misfire === "all") return times.map(alone);
  const last = missed.at(-1);
  if (schedule.misfire === "skip" || last === undefined) return remaining.map(alone);
  const [first, ...rest] = remaining;
  if (first === undefined) return [{ at: last, missed: missed.length - 1 }];
  return [{ at: first, missed: missed.length }, ...rest.map(alone)];
}

function alone(at: Date): DueTime {
  return { at, missed: 0 };
}
