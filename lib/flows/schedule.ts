import { Cron } from "croner";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { timeNow } from "#lib/platform/clock.ts";

/** What becomes of times that came while nobody was there to see to them. */
export const misfirePolicies = ["skip", "once", "all"] as const;
type MisfirePolicy = (typeof misfirePolicies)[number];

/** When a flow runs by itself. */
export interface Schedule {
  /** Five fields, or six of which the first are seconds; or a name such as `@daily`. */
  readonly cron: string;
  /** An IANA name. */
  readonly timezone: string;
  readonly misfire: MisfirePolicy;
}

export interface ScheduleProblem {
  readonly field: "cron" | "timezone" | "misfire";
  readonly message: string;
}

/** A schedule as somebody wrote it. */
interface GivenSchedule {
  readonly cron?: unknown;
  readonly timezone?: unknown;
  readonly misfire?: unknown;
}

const cronCharactersMax = 200;
const defaults = { timezone: "UTC", misfire: "once" } as const;

/** Why this trigger's config is no schedule; empty when it is one. */
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

/** The schedule of an active flow; null for one that does not run by itself. */
export function scheduleOf(status: string, { type, config }: FlowTrigger): Schedule | null {
  if (status !== "active" || type !== "schedule" || scheduleProblems(config).length > 0) return null;
  return completeSchedule(config);
}

/** A schedule without problems, with what was left out. */
export function completeSchedule({ cron, timezone, misfire }: GivenSchedule): Schedule {
  return {
    cron: String(cron),
    timezone: String(timezone ?? defaults.timezone),
    misfire: misfirePolicies.find((policy) => policy === misfire) ?? defaults.misfire,
  };
}

/**
 * The first time after `after`; null when there is none. Where clocks are set forward, a time of day that is left out
 * comes as soon as the clock shows a later one; where they are set back, a time of day that comes twice counts the first
 * time, while what repeats within the hour goes on through both.
 */
export function nextTime(schedule: Pick<Schedule, "cron" | "timezone">, after: Date): Date | null {
  return cronOf(schedule).nextRun(after);
}

/** The next `count` times after `after`, or as many as there are. */
export function nextTimes(schedule: Pick<Schedule, "cron" | "timezone">, after: Date, count: number): Date[] {
  return cronOf(schedule).nextRuns(count, after);
}

/** The latest times, `count` at most, from `from` to `to`, both inclusive; the earliest first. */
export function timesBetween(
  schedule: Pick<Schedule, "cron" | "timezone">,
  from: Date,
  to: Date,
  count: number,
): Date[] {
  const latest = cronOf(schedule).previousRuns(count, new Date(to.getTime() + 1));
  return latest.filter((time) => time >= from && time <= to).reverse();
}

function cronOf({ cron, timezone }: Pick<Schedule, "cron" | "timezone">): Cron {
  return new Cron(cron, { timezone, mode: "5-or-6-parts" });
}

function cronProblem(cron: unknown, timezone: string): string | null {
  if (cron === undefined || cron === null || cron === "")
    return "a schedule needs a cron expression, such as 0 9 * * MON-FRI";
  if (typeof cron !== "string") return "must be text";
  if (cron.length > cronCharactersMax) return `must have at most ${cronCharactersMax} characters`;
  // A single moment is no pattern, though the library would take one.
  if (/^\s*\d{4}-/.test(cron)) return "must be a cron expression, not a date";
  try {
    return nextTime({ cron, timezone }, timeNow()) === null ? "names a day that no calendar has" : null;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
  if (text.startsWith("invalid configuration format")) return "must have five fields, or six with seconds first";
  return `is not a cron expression: ${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
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
