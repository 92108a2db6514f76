import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";

export const pageSize = { default: 20, max: 100 } as const;

const wholeNumber = (what: string, max: number) =>
  z
    .string(`${what} must be given once`)
    .regex(/^[1-9]\d{0,8}$/, `${what} must be a whole number from 1`)
    .transform(Number)
    .refine((value) => value <= max, `${what} must be at most ${max}`)
    .meta({ type: "integer", minimum: 1, maximum: max });

/** Milliseconds, as much as a duration can be. */
export const milliseconds = (what: string) =>
  z
    .string(`${what} must be given once`)
    .regex(/^(0|[1-9]\d{0,9})$/, `${what} must be a whole number of milliseconds`)
    .transform(Number)
    .refine((value) => value < 2 ** 31, `${what} must be below ${2 ** 31}`)
    .meta({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1 });

/** `page` and `limit` of every list. */
export const paging = {
  page: wholeNumber("page", 999_999_999).optional().default(1),
  limit: wholeNumber("limit", pageSize.max).optional().default(pageSize.default),
};

/** `true` or `false` in full: a typo must not delete data. */
export const flag = (what: string, byDefault: boolean) =>
  z
    .enum(["true", "false"], `${what} must be true or false`)
    .transform((value) => value === "true")
    .optional()
    .default(byDefault);

export const oneOf = <const Values extends readonly string[]>(what: string, values: Values) =>
  z.enum(values, `${what} must be one of ${values.join(", ")}`);

/** One of the values or several: separated by commas, or the parameter repeated. */
export const anyOf = <const Values extends readonly [string, ...string[]]>(what: string, values: Values) => {
  const error = `${what} must be one of ${values.join(", ")}`;
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(",")))])
    .refine((names): names is Values[number][] => names.every((name) => values.includes(name)), error)
    .meta({ type: "string", pattern: `^(${values.join("|")})(,(${values.join("|")}))*$` });
};

export const order = oneOf("order", ["asc", "desc"]).optional().default("desc");

/** Text that is looked for; a repeated parameter counts once, the first time. */
export const searchText = (what: string) =>
  z
    .union([z.string(), z.array(z.string()).transform((all) => all[0] ?? "")])
    .refine(isStorableText, `${what} must not contain U+0000 or unpaired surrogates`)
    .refine((text) => text.length <= 1_000, `${what} must have at most 1000 characters`);

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2}))?$/;
const dayMs = 86_400_000;

/**
 * An ISO 8601 time; a bare date means the whole UTC day, so that as an end it stands for that day's last millisecond.
 * Days that no calendar has are refused, where `new Date` would take the next month's.
 */
export function parseTime(text: string, bound: "start" | "end"): Date | null {
  const parts = isoDate.exec(text);
  if (parts === null) return null;
  const [, year, month, day, hour] = parts.map(Number);
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== day || midnight.getUTCMonth() + 1 !== month) {
    return null;
  }
  if (year === undefined || year < 1970) return null;
  if (hour === undefined || Number.isNaN(hour))
    return bound === "end" ? new Date(midnight.getTime() + dayMs - 1) : midnight;
  const time = new Date(text.replace(/^(\S{16})(?=Z|[+-])/, "$1:00"));
  // An offset may lead into a year that is not written with four digits.
  return Number.isNaN(time.getTime()) || !/^\d{4}-/.test(time.toISOString()) ? null : time;
}

export const time = (what: string, bound: "start" | "end") =>
  z
    .string(`${what} must be given once`)
    .transform((text, context) => {
      const parsed = parseTime(text, bound);
      if (parsed !== null) return parsed;
      context.addIssue({ code: "custom", message: `${what} must be an ISO 8601 date or time, such as 2026-01-31` });
      return z.NEVER;
    })
    .meta({ type: "string", format: "date-time" });
