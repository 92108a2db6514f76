import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { parseTime } from "./parse-time.ts";

export const pageSize = { default: 20, max: 100 } as const;

const wholeNumber = (label: string, max: number) =>
  z
    .string(`${label} must be given once`)
    .regex(/^[1-9]\d*$/, `${label} must be a whole number from 1`)
    .transform(Number)
    .refine((value) => value <= max, `${label} must be at most ${max}`)
    .meta({ type: "integer", minimum: 1, maximum: max, pattern: undefined });

/** Milliseconds, up to the longest duration. */
export const milliseconds = (label: string) =>
  z
    .string(`${label} must be given once`)
    .regex(/^(0|[1-9]\d{0,9})$/, `${label} must be a whole number of milliseconds`)
    .transform(Number)
    .refine((value) => value < 2 ** 31, `${label} must be below ${2 ** 31}`)
    .meta({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1, pattern: undefined });

/** `page` and `limit` of every list. */
export const paging = {
  page: wholeNumber("page", 999_999_999)
    .optional()
    .default(1)
    .meta({ default: 1 })
    .describe("Number of the page, from 1"),
  limit: wholeNumber("limit", pageSize.max)
    .optional()
    .default(pageSize.default)
    .meta({ default: pageSize.default })
    .describe("Items per page"),
};

/** Which page of a list. */
export interface PageAsked {
  readonly page: number;
  readonly limit: number;
}

/** Which page of a list that can be searched. */
export interface SearchedPage extends PageAsked {
  readonly search?: string | undefined;
}

/** `true` or `false` in full: a typo must not delete data. */
export const flag = (label: string, byDefault: boolean) =>
  z
    .enum(["true", "false"], `${label} must be true or false`)
    .transform((value) => value === "true")
    .optional()
    .default(byDefault)
    .meta({ type: "boolean", enum: undefined, default: byDefault });

export const oneOf = <const Values extends readonly string[]>(label: string, values: Values) =>
  z.enum(values, `${label} must be one of ${values.join(", ")}`);

/** One or more of the values: separated by commas, or the parameter repeated. */
export const anyOf = <const Values extends readonly [string, ...string[]]>(label: string, values: Values) => {
  const error = `${label} must be one of ${values.join(", ")}`;
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(",")))])
    .refine((names): names is Values[number][] => names.every((name) => values.includes(name)), error)
    .meta({ type: "string", pattern: `^(${values.join("|")})(,(${values.join("|")}))*$` });
};

export const order = oneOf("order", ["asc", "desc"]).optional().default("desc");

/** A search text; if the parameter is repeated, the first one is used. */
export const searchText = (label: string) =>
  z
    .union([
      z.string(),
      z
        .array(z.string())
        .max(100)
        .transform((all) => all[0] ?? ""),
    ])
    .refine(isStorableText, `${label} must not contain U+0000 or unpaired surrogates`)
    .refine((text) => text.length <= 1_000, `${label} must have at most 1000 characters`)
    .meta({ type: "string", maxLength: 1_000, anyOf: undefined });

const isoTime = "an ISO 8601 date or time, such as 2026-01-31";

export const time = (label: string, bound: "start" | "end") =>
  z
    .string({ error: ({ input }) => `${label} must be ${Array.isArray(input) ? "given once" : isoTime}` })
    .transform((text, context) => {
      const parsed = parseTime(text, bound);
      if (parsed !== null) return parsed;
      context.addIssue({ code: "custom", message: `${label} must be ${isoTime}` });
      return z.NEVER;
    })
    .meta({ type: "string", anyOf: ["date-time", "date"].map((format) => ({ type: "string", format })) });
