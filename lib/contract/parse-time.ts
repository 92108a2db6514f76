const isoDate = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+ -]\d{2}:\d{2})?)?$/;
const dayMs = 86_400_000;

/**
 * An ISO 8601 time, in UTC unless it has an offset; an unencoded `+` arrives as a space. A bare date means the whole
 * UTC day: as an end, its last millisecond. Refuses days that do not exist, which `new Date` would move to the next
 * month.
 */
export function parseTime(text: string, bound: "start" | "end"): Date | null {
  const parts = isoDate.exec(text);
  if (parts === null) return null;
  const [date, clock, offset = "Z"] = parts.slice(1);
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return null;
  const lastOfDay = new Date(midnight.getTime() + dayMs - 1);
  const wholeDay = { start: midnight, end: lastOfDay };
  const time = clock === undefined ? wholeDay[bound] : new Date(`${date}T${clock}${offset.replace(" ", "+")}`);
  // An offset may lead to a year without four digits; year 0 does not exist.
  return Number.isNaN(time.getTime()) || !/^(?!0000)\d{4}-/.test(time.toISOString()) ? null : time;
}
