/** A schedule in everyday terms. Hours and minutes as on a clock; weekdays from 0 for Sunday. */
export type SpokenSchedule =
  | { readonly every: "minutes"; readonly step: number }
  | { readonly every: "hours"; readonly step: number; readonly minute: number }
  | { readonly every: "week"; readonly days: readonly number[]; readonly hour: number; readonly minute: number }
  | { readonly every: "month"; readonly day: number | "last"; readonly hour: number; readonly minute: number };

/** Steps that divide an hour or a day evenly: with others, the last gap would be shorter. */
export const minuteSteps: readonly number[] = [1, 2, 5, 10, 15, 20, 30];
export const hourSteps: readonly number[] = [1, 2, 3, 4, 6, 8, 12];

export const everyDay: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
export const workdays: readonly number[] = [1, 2, 3, 4, 5];

const names: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** Parses a cron expression into these terms; null if they cannot express it. */
export function readSchedule(cron: string): SpokenSchedule | null {
  const text = cron.trim();
  const [minutes = "", hours = "", days = "", months = "", weekdays = "", ...more] = (
    names[text.toLowerCase()] ?? text
  ).split(/\s+/);
  if (more.length > 0 || months !== "*") return null;
  const isDaily = days === "*" && weekdays === "*";
  if (isDaily && hours === "*") {
    const step = stepOf(minutes);
    if (step !== null) return minuteSteps.includes(step) ? { every: "minutes", step } : null;
  }
  const minute = numberOf(minutes, 0, 59);
  if (minute === null) return null;
  const step = stepOf(hours);
  if (isDaily && step !== null) return hourSteps.includes(step) ? { every: "hours", step, minute } : null;
  const hour = numberOf(hours, 0, 23);
  if (hour === null) return null;
  if (days === "*") {
    const chosen = weekdaysOf(weekdays);
    return chosen === null ? null : { every: "week", days: chosen, hour, minute };
  }
  const day = days.toUpperCase() === "L" ? "last" : numberOf(days, 1, 31);
  return weekdays === "*" && day !== null ? { every: "month", day, hour, minute } : null;
}

/** The cron expression of a schedule. */
export function writeSchedule(schedule: SpokenSchedule): string {
  if (schedule.every === "minutes") return `${written(schedule.step)} * * * *`;
  if (schedule.every === "hours") return `${schedule.minute} ${written(schedule.step)} * * *`;
  const at = `${schedule.minute} ${schedule.hour}`;
  if (schedule.every === "month") return `${at} ${schedule.day === "last" ? "L" : schedule.day} * *`;
  const days = schedule.days.toSorted((a, b) => a - b);
  if (days.length === everyDay.length) return `${at} * * *`;
  return `${at} * * ${days.join() === workdays.join() ? "1-5" : days.join()}`;
}

const dayWords = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const two = (number: number) => String(number).padStart(2, "0");
const counted = (step: number, unit: string) => (step === 1 ? `Every ${unit}` : `Every ${step} ${unit}s`);

/** A schedule in words: "On workdays at 07:45". */
export function describeSchedule(schedule: SpokenSchedule): string {
  if (schedule.every === "minutes") return counted(schedule.step, "minute");
  if (schedule.every === "hours") return `${counted(schedule.step, "hour")} at :${two(schedule.minute)}`;
  const at = `at ${two(schedule.hour)}:${two(schedule.minute)}`;
  if (schedule.every === "month")
    return schedule.day === "last" ? `On each month’s last day ${at}` : `On day ${schedule.day} of each month ${at}`;
  const { days } = schedule;
  if (days.length === everyDay.length) return `Every day ${at}`;
  if (days.join() === workdays.join()) return `On workdays ${at}`;
  const [only, ...others] = days;
  if (only !== undefined && others.length === 0) return `On ${dayWords[only]}s ${at}`;
  return `On ${days.map((day) => dayWords[day]?.slice(0, 3)).join(", ")} ${at}`;
}

const written = (step: number) => (step === 1 ? "*" : `*/${step}`);

/** 1 for every unit, 5 for every fifth; null if it is not a step. */
function stepOf(field: string): number | null {
  if (field === "*") return 1;
  return field.startsWith("*/") ? numberOf(field.slice(2), 1, 59) : null;
}

function numberOf(field: string, least: number, most: number): number | null {
  if (!/^\d{1,2}$/.test(field)) return null;
  const number = Number(field);
  return number >= least && number <= most ? number : null;
}

/** Parses `1-5`, `MON,WED` or `*`; 7 is Sunday, like 0. */
function weekdaysOf(field: string): readonly number[] | null {
  if (field === "*") return everyDay;
  const days = new Set<number>();
  for (const part of field.split(",")) {
    const [from, to = from, ...more] = part.split("-").map(weekdayOf);
    if (from === undefined || to === undefined || from === null || to === null || more.length > 0 || to < from)
      return null;
    for (let day = from; day <= to; day += 1) days.add(day % 7);
  }
  return [...days].toSorted((a, b) => a - b);
}

function weekdayOf(text: string): number | null {
  const named = dayNames.indexOf(text.toUpperCase());
  return named === -1 ? numberOf(text, 0, 7) : named;
}
