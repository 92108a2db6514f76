import type { z } from "zod";

/**
 * Why a value is refused, for who sent it. Of a value that is missing the message says so, whatever its schema would
 * say of one of the wrong kind. Parse with `reportInput`: only then does an issue tell the value.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message.replace(/^Invalid input: /, "");
}
