import type { z } from "zod";

/**
 * Why a value is refused, for its sender. A missing value is reported as missing, whatever its schema would say about a
 * wrong type. Parse with `reportInput`: only then does an issue contain the value.
 */
export function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is required";
  return issue.message.replace(/^Invalid input: /, "");
}
