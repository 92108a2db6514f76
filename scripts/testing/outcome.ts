// The outcome of a stage. Vitest and Playwright write it to the file that OUTCOME_FILE names; the summary reads it.
import { readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

const named = z.object({ name: z.string(), message: z.string().optional() });
const outcome = z.object({ passed: z.number(), failures: z.array(named), flaky: z.array(named).default([]) });

/** The checks or tests of a stage: how many passed, which failed, and which passed only when they ran again. */
export type Outcome = z.infer<typeof outcome>;

/** A failed check or test; its error's `message` may contain colours. */
export type Failure = Outcome["failures"][number];

/** The outcome of a stage that failed before it had tests to count. */
export function failedAs(name: string): Outcome {
  return { passed: 0, failures: [{ name }], flaky: [] };
}

export function writeOutcome(value: Outcome): void {
  const file = process.env.OUTCOME_FILE;
  if (file) writeFileSync(file, JSON.stringify(value));
}

export function readOutcome(file: string): Outcome {
  return outcome.parse(JSON.parse(readFileSync(file, "utf8")));
}

/**
 * The summary: each failure in two lines, so that nobody has to search the output above. A flaky test counts as passed,
 * but is named: it is a bug to fix.
 */
export function summary(outcomes: readonly Outcome[]): string {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  const passed = outcomes.reduce((count, outcome) => count + outcome.passed, 0);
  const described = ({ name, message }: Failure) => `${name}${message ? `\n    ${firstLine(message)}` : ""}`;
  const lines = [
    ...outcomes.flatMap(({ flaky }) => flaky.map((failure) => `~ flaky: ${described(failure)}`)),
    ...failures.map((failure) => `✗ ${described(failure)}`),
  ];
  return [...lines, `${passed} passed, ${failures.length} failed`].join("\n");
}

function firstLine(message: string): string {
  return stripVTControlCharacters(message).trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
}
