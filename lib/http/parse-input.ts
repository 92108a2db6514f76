import type { z } from "zod";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";

/** Parses a request's values; throws VALIDATION_ERROR with every invalid field and the reason. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const details: Record<string, string> = {};
  for (const issue of parsed.error.issues) details[formatPath(issue.path) || subject] ??= issueMessage(issue);
  throw new AppError("VALIDATION_ERROR", `The request ${subject} is not valid`, { details });
}

/** Query parameters by name; a repeated one is a list, which most schemas refuse. */
export function queryOf(url: URL): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(url.searchParams.keys())) {
    const values = url.searchParams.getAll(name);
    query[name] = values.length === 1 ? (values[0] as string) : values;
  }
  return query;
}
