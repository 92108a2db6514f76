import type { z } from "zod";
import { isJsonObject, type Json } from "./json.ts";

/**
 * Why a value is refused, for its sender. A missing value is reported as missing, not as having the wrong type. Parse
 * with `reportInput`: only then does an issue contain the value.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  if (!libraryMessage.test(issue.message)) return issue.message;
  if (issue.input === undefined && (issue.code === "invalid_value" || issue.code === "invalid_union"))
    return "is required";
  return plainMessage(issue) ?? issue.message.replace(/^Invalid \w+: /, "");
}

/**
 * How Zod's own messages begin. They name its types, so they are replaced; a schema's own message is written for
 * people.
 */
const libraryMessage = /^(Invalid |Too (small|big): |Unrecognized key)/;

function plainMessage(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "too_small":
      return boundMessage(
        issue.origin,
        issue.minimum,
        issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than",
      );
    case "too_big":
      return boundMessage(
        issue.origin,
        issue.maximum,
        issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than",
      );
    case "unrecognized_keys":
      return `must not have ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
    case "invalid_union":
      return unionMessage(issue);
    case "invalid_format":
      return formatNames[issue.format];
  }
  return undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  tuple: "a list",
  null: "null",
};

const formatNames: Readonly<Record<string, string>> = {
  url: "must be a complete URL",
  email: "must be an email address",
  datetime: "must be an ISO 8601 time in UTC, such as 2026-01-31T12:00:00Z",
  date: "must be a date such as 2026-01-31",
};

function boundMessage(origin: string, bound: number | bigint, comparison: string): string {
  const counted = counts[origin];
  if (counted === undefined) return `must be ${comparison} ${bound}`;
  if (comparison === "at least" && bound === 1) return "must not be empty";
  return `must have ${comparison} ${bound} ${Number(bound) === 1 ? counted : `${counted}s`}`;
}

const counts: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item", file: "byte" };

/** "must be text, a number or null", if the alternatives differ only in type. */
function unionMessage({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const types = errors.map(([first]) => {
    const isAll = first?.code === "invalid_type" && first.path.length === 0;
    return isAll ? typeNames[first.expected] : undefined;
  });
  const known = [...new Set(types)].filter((type) => type !== undefined);
  if (known.length === 0 || types.includes(undefined)) return "does not have the right form";
  return `must be ${known.length === 1 ? known[0] : `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`}`;
}

/** A config path as field titles, by its JSON Schema: "Retry: Attempts", "Cases 2". */
export function fieldTitle(configSchema: unknown, path: string): string {
  const titles: string[] = [];
  let at = configSchema;
  for (const [step = "", , index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (index === undefined) {
      const field = fieldOf(at, step);
      titles.push(titleOf(field) ?? step);
      at = field;
    } else {
      const last = titles.length - 1;
      if (last >= 0) titles[last] = `${titles[last]} ${Number(index) + 1}`;
      at = isJsonObject(at) ? at.items : undefined;
    }
  }
  return titles.join(": ");
}

/**
 * A message about a config with field titles in place of names: "ms: is required, unless until is given" becomes
 * "Duration is required, unless Until is given". Other messages are unchanged.
 */
export function withFieldTitles(message: string, configSchema: unknown): string {
  const parts = message.split("; ");
  for (const [index, part] of parts.entries()) {
    const [, path = "", problem = ""] = /^([\w$.[\]-]+): (.+)$/s.exec(part) ?? [];
    const [first = ""] = path.split(/[.[]/, 1);
    if (fieldOf(configSchema, first) === undefined) break;
    const title = fieldTitle(configSchema, path);
    parts[index] = follows.test(problem)
      ? `${title} ${withOtherTitles(problem, configSchema)}`
      : `${title}: ${problem}`;
    // The rest may belong to a quoted expression.
    if (problem.includes("`")) break;
  }
  return parts.join("; ");
}

/** The same for such a message without its own field: "is required, unless until is given". */
export function withOtherTitles(problem: string, configSchema: unknown): string {
  return problem.replace(/\b(unless|or) (\w+)/g, (all, word, name) => {
    const title = titleOf(fieldOf(configSchema, name));
    return title === undefined ? all : `${word} ${title}`;
  });
}

/** Words that can follow a field's name without a colon. */
const follows = /^(is|are|must|needs|has|have|cannot|takes)\b/;

function fieldOf(schema: unknown, name: string): Json | undefined {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return undefined;
  return Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

function titleOf(field: Json | undefined): string | undefined {
  return isJsonObject(field) && typeof field.title === "string" ? field.title : undefined;
}
