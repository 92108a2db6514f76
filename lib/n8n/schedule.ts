import type { Parameters } from "./parameters.ts";
import type { About } from "./triggers.ts";

/** The cron expression of a schedule, of any version of the node. Throws NotConverted. */
export function scheduleOf({ node, parameters, gap }: Pick<About, "node" | "parameters" | "gap">): string {
  if (node.type === "interval") {
    return everyCron(parameters.text("unit", "seconds"), Number(parameters.text("interval", "1")), gap);
  }
  const isOld = node.type === "cron";
  const [first, ...more] = parameters.entries(isOld ? "triggerTimes.item" : "rule.interval");
  if (more.length > 0) {
    gap(
      `The schedule has ${more.length + 1} rules, but a flow can only have one: the first is kept. Duplicate the flow for the others.`,
    );
  }
  if (first === undefined) return "0 0 * * *";
  return isOld ? oldCron(first, gap) : cronOf(first, gap);
}

/** The units of an interval, and how many of each make up the next. */
const units = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 31],
] as const;

/** Runs every so many units. A schedule starts over with each hour or day, and cannot express all intervals. */
function everyCron(unit: string, count: number, gap: (reason: string) => void): string {
  let at = Math.max(
    0,
    units.findIndex(([name]) => `${name}s` === unit),
  );
  let every = Number.isFinite(count) && count >= 1 ? count : 1;
  for (; at < units.length - 1 && every >= (units[at]?.[1] ?? 1); at += 1) every /= units[at]?.[1] ?? 1;
  const [name, most] = units[at] ?? units[3];
  const fitting = Math.min(most, Math.max(1, Math.round(every)));
  if (every !== fitting || most % fitting !== 0) {
    const label = fitting === 1 ? `every ${name}` : `every ${fitting} ${name}s, starting over in each ${nextOf(at)}`;
    gap(`The schedule is every ${count} ${unit} in n8n. Here it is ${label}.`);
  }
  const step = fitting === 1 ? "*" : `*/${fitting}`;
  return [`${step} * * * * *`, `${step} * * * *`, `0 ${step} * * *`, `0 0 ${step} * *`][at] ?? "0 0 * * *";
}

const nextOf = (at: number) => units[at + 1]?.[0] ?? "month";

function oldCron(rule: Parameters, gap: (reason: string) => void): string {
  const [hour, minute] = [Math.round(rule.number("hour", 0, 23, 14)), Math.round(rule.number("minute", 0, 59, 0))];
  const mode = rule.text("mode", "everyDay");
  if (mode === "custom") return rule.text("cronExpression").trim() || "0 0 * * *";
  if (mode === "everyX") return everyCron(rule.text("unit", "hours"), Number(rule.text("value", "2")), gap);
  if (mode === "everyMinute") return "* * * * *";
  if (mode === "everyHour") return `${minute} * * * *`;
  if (mode === "everyWeek") return `${minute} ${hour} * * ${Math.round(rule.number("weekday", 0, 7, 1))}`;
  if (mode === "everyMonth") return `${minute} ${hour} ${Math.round(rule.number("dayOfMonth", 1, 31, 1))} * *`;
  return `${minute} ${hour} * * *`;
}

function cronOf(rule: Parameters, gap: (reason: string) => void): string {
  const integer = (path: string, min: number, max: number, otherwise: number) =>
    Math.round(rule.number(path, min, max, otherwise));
  const count = (path: string, otherwise: number) => Number(rule.text(path, String(otherwise)));
  const minute = integer("triggerAtMinute", 0, 59, 0);
  const at = `${minute} ${integer("triggerAtHour", 0, 23, 0)}`;
  const field = rule.text("field", "days");
  if (field === "cronExpression") return rule.text("expression").trim() || "0 0 * * *";
  if (field === "seconds") return everyCron(field, count("secondsInterval", 30), gap);
  if (field === "minutes") return everyCron(field, count("minutesInterval", 5), gap);
  if (field === "hours") return atTime(everyCron(field, count("hoursInterval", 1), gap), String(minute));
  if (field === "weeks") {
    const weeks = integer("weeksInterval", 1, 1_000, 1);
    if (weeks > 1) gap(`The schedule runs every week, not every ${weeks} weeks: a schedule here cannot express that.`);
    const given = rule.at("triggerAtDay");
    const days = (Array.isArray(given) ? given : [0]).filter(
      (day) => Number.isInteger(day) && Number(day) >= 0 && Number(day) <= 7,
    );
    return `${at} * * ${[...new Set(days)].join(",") || "*"}`;
  }
  if (field === "months") {
    const months = integer("monthsInterval", 1, 12, 1);
    return `${at} ${integer("triggerAtDayOfMonth", 1, 31, 1)} ${months === 1 ? "*" : `*/${months}`} *`;
  }
  return atTime(everyCron("days", count("daysInterval", 1), gap), at);
}

/** A schedule of hours or days, at this minute, or minute and hour. */
function atTime(cron: string, time: string): string {
  const taken = time.split(" ").length;
  return [time, ...cron.split(" ").slice(taken)].join(" ");
}
