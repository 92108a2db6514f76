// What a stage came to. Vitest and Playwright write it to the file that OUTCOME_FILE names; the summary reads it.
import { readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";

const outcome = z.object({
  passed: z.number(),
  failures: z.array(z.object({ name: z.string(), message: z.string().optional() })),
});

/** The checks or tests of a stage: how many passed, and which failed. */
export type Outcome = z.infer<typeof outcome>;

/** A failed check or test: `message` is its error's, with colours perhaps. */
export type Failure = Outcome["failures"][number];

/** The outcome of something that failed before it had tests to count. */
export function failedAs(name: string): Outcome {
  return { passed: 0, failures: [{ name }] };
}

export function writeOutcome(value: Outcome): void {
  const file = process.env.OUTCOME_FILE;
  if (file) writeFileSync(file, JSON.stringify(value));
}

export function readOutcome(file: string): Outcome {
  return outcome.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The summary: each failure in two lines, so that it is read without a search through what was printed before. */
export function summary(outcomes: readonly Outcome[]): string {
  const failures = outcomes.flatMap((each) => each.failures);
  const passed = outcomes.reduce((count, each) => count + each.passed, 0);
  const lines = failures.map(({ name, message }) => `✗ ${name}${message ? `\n    ${firstLine(message)}` : ""}`);
  return [...lines, `${passed} passed, ${failures.length} failed`].join("\n");
}

function firstLine(message: string): string {
  return stripVTControlCharacters(message).trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
}
