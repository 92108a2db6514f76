import { type Schedule, timesBetween } from "./schedule.ts";

/** A time that gets a run, and how many earlier ones, which were missed, that run stands for. */
export interface DueTime {
  readonly at: Date;
  readonly missed: number;
}

/** A time that is seen to no later than this was not missed. */
export const lateMsMax = 90_000;
/** Runs that a flow gets at once for times that have come: the latest. */
export const dueTimesMax = 100;

/**
 * The times from `from` on that get a run at `now`. What came within the last 90 seconds does in any case; what came
 * before that was missed, as while nothing ran: `skip` leaves it, `once` makes one run of it all, `all` a run of each.
 */
export function dueTimes(schedule: Schedule, from: Date, now: Date): DueTime[] {
  const times = timesBetween(schedule, from, now, dueTimesMax);
  const missed = times.filter((at) => now.getTime() - at.getTime() > lateMsMax);
  const kept = times.slice(missed.length);
  if (schedule.misfire === "all") return times.map(alone);
  const last = missed.at(-1);
  if (schedule.misfire === "skip" || last === undefined) return kept.map(alone);
  const [first, ...rest] = kept;
  if (first === undefined) return [{ at: last, missed: missed.length - 1 }];
  return [{ at: first, missed: missed.length }, ...rest.map(alone)];
}

function alone(at: Date): DueTime {
  return { at, missed: 0 };
}
