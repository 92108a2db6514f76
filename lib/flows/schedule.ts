import { Cron } from "croner";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { WallClock } from "./wall-clock.ts";

/** What to do about missed times. */
export const misfirePolicies = ["skip", "once", "all"] as const;
type MisfirePolicy = (typeof misfirePolicies)[number];

/** When a flow starts by itself. */
export interface Schedule {
  /** Five fields, or six of which the first is seconds; or a name such as `@daily`. */
  readonly cron: string;
  /** An IANA name. */
  readonly timezone: string;
  readonly misfire: MisfirePolicy;
}

export interface ScheduleProblem {
  readonly field: "cron" | "timezone" | "misfire";
  readonly message: string;
}

/** An unvalidated schedule. */
interface GivenSchedule {
  readonly cron?: unknown;
  readonly timezone?: unknown;
  readonly misfire?: unknown;
}

const cronCharactersMax = 200;
const defaults = { timezone: "UTC", misfire: "once" } as const;

/** Why this trigger's config is not a schedule; empty if it is one. */
export function scheduleProblems({ cron, timezone, misfire }: GivenSchedule): ScheduleProblem[] {
  const problems: ScheduleProblem[] = [];
  const zone = timezone ?? defaults.timezone;
  if (!isTimezone(zone)) {
    problems.push({ field: "timezone", message: "must be the name of a time zone, such as Europe/Berlin" });
  }
  const message = cronProblem(cron, isTimezone(zone) ? zone : defaults.timezone);
  if (message !== null) problems.push({ field: "cron", message });
  if (misfire !== undefined && misfire !== null && !misfirePolicies.some((policy) => policy === misfire)) {
    problems.push({ field: "misfire", message: `must be one of ${misfirePolicies.join(", ")}` });
  }
  return problems;
}

/** The schedule of an active flow; null if it has none. */
export function scheduleOf(status: string, { type, config }: FlowTrigger): Schedule | null {
  if (status !== "active" || type !== "schedule" || scheduleProblems(config).length > 0) return null;
  return completeSchedule(config);
}

/** A valid schedule, with defaults filled in. */
export function completeSchedule({ cron, timezone, misfire }: GivenSchedule): Schedule {
  return {
    cron: String(cron),
    timezone: String(timezone ?? defaults.timezone),
    misfire: misfirePolicies.find((policy) => policy === misfire) ?? defaults.misfire,
  };
}

/**
 * The first time after `after`; null if there is none. When clocks go forward, a skipped time of day runs as soon as
 * the clock shows a later one. When they go back, only the first occurrence of a repeated time of day counts; schedules
 * of every hour continue through both.
 */
export function nextTime(schedule: Pick<Schedule, "cron" | "timezone">, after: Date): Date | null {
  if (isEveryHour(schedule)) return cronOf(schedule, after).nextRun(after);
  const clock = new WallClock(schedule.timezone);
  const from = new Date(clock.latestAt(after.getTime()));
  const next = cronOf({ ...schedule, timezone: "UTC" }, from).nextRun(from);
  return next && new Date(clock.momentOf(next.getTime()));
}

/** The next `count` times after `after`, or as many as there are. */
export function nextTimes(schedule: Pick<Schedule, "cron" | "timezone">, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let time = nextTime(schedule, after); time !== null; time = nextTime(schedule, time)) {
    times.push(time);
    if (times.length === count) break;
  }
  return times;
}

/** The latest times, at most `count`, from `from` to `to`, both inclusive; earliest first. */
export function timesBetween(
  schedule: Pick<Schedule, "cron" | "timezone">,
  from: Date,
  to: Date,
  count: number,
): Date[] {
  const times: Date[] = [];
  // One by one: usually there is only one, and the hundredth before it may be a century ago.
  for (let before = new Date(to.getTime() + 1); times.length < count; ) {
    const time = previousTime(schedule, before, from);
    if (time === null || time < from) break;
    if (time <= to) times.push(time);
    before = time;
  }
  return times.reverse();
}

/** The last time before `before`; null if there is none, or none since `from`. */
function previousTime(schedule: Pick<Schedule, "cron" | "timezone">, before: Date, from: Date): Date | null {
  if (isEveryHour(schedule)) return cronOf(schedule, from, before).previousRuns(1, before)[0] ?? null;
  const clock = new WallClock(schedule.timezone);
  // All that had come a millisecond earlier, and nothing that came since.
  const end = new Date(clock.latestAt(before.getTime() - 1) + 1);
  const [wall] = cronOf({ ...schedule, timezone: "UTC" }, from, before).previousRuns(1, end);
  return wall === undefined ? null : new Date(clock.momentOf(wall.getTime()));
}

/** Schedules of every hour have no time of day; those in UTC have no change of clocks. */
function isEveryHour({ cron, timezone }: Pick<Schedule, "cron" | "timezone">): boolean {
  const fields = cron.trim().split(/\s+/);
  return timezone === "UTC" || fields.length < 5 || /^(\*|\?|\*\/1|0-23)$/.test(fields.at(-4) ?? "");
}

/** The longest possible gap: 29 February on a given weekday, across a year such as 2100. */
const yearsMax = 40;

/**
 * Limits the pattern to the years from `from` to `to` by its seventh field. Otherwise the library searches four
 * centuries for a day that does not exist, which takes hundreds of milliseconds.
 */
function cronOf({ cron, timezone }: Pick<Schedule, "cron" | "timezone">, from: Date, to = from): Cron {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return new Cron(cron, { timezone, mode: "5-or-6-parts" });
  // The time zone's year may be one off.
  const years = `${from.getUTCFullYear() - 1}-${Math.min(to.getUTCFullYear() + yearsMax + 1, 9_999)}`;
  const all = [...(fields.length === 5 ? ["0"] : []), ...fields, years];
  return new Cron(all.join(" "), { timezone, mode: "7-part" });
}

function cronProblem(cron: unknown, timezone: string): string | null {
  if (cron === undefined || cron === null || cron === "")
    return "a schedule needs a cron expression, such as 0 9 * * MON-FRI";
  if (typeof cron !== "string") return "must be text";
  if (cron.length > cronCharactersMax) return `must have at most ${cronCharactersMax} characters`;
  // A single moment is not a pattern, although the library accepts one.
  if (/^\s*\d{4}-/.test(cron)) return "must be a cron expression, not a date";
  try {
    return nextTime({ cron, timezone }, timeNow()) === null ? "names a day that no calendar has" : null;
  } catch {
    return reasonOf(cron);
  }
}

const cronFields = [
  ["second", "0-59"],
  ["minute", "0-59"],
  ["hour", "0-23"],
  ["day of the month", "1-31, L (the last)"],
  ["month", "1-12, JAN-DEC"],
  ["day of the week", "0-7, SUN-SAT"],
] as const;

/** Why it cannot be read: the first field that is wrong by itself. */
function reasonOf(cron: string): string {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6)
    return "must have five fields, or six with seconds first, or be a name such as @daily";
  for (const [index, [name, allowed]] of cronFields.slice(-fields.length).entries()) {
    try {
      new Cron(fields.map((field, at) => (at === index ? field : "*")).join(" "), { mode: "5-or-6-parts" });
    } catch {
      return `has an invalid ${name}, "${fields[index]}": use ${allowed}, a range (1-5), a list (1,3) or a step (*/2)`;
    }
  }
  return "is not a cron expression";
}

function isTimezone(name: unknown): name is string {
  if (typeof name !== "string" || name === "" || name.length > 64) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
