// Runs Vitest and Playwright: prints their output as it comes, and reads their outcome from a file.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { projectDirectory } from "../places.mjs";
import { failedAs, type Outcome, readOutcome } from "./outcome.ts";

type Env = Readonly<Record<string, string>>;

export function runVitest(project: "unit" | "api", patterns: readonly string[], env: Env = {}): Promise<Outcome> {
  const reporters = ["--reporter=default", "--reporter=./scripts/testing/vitest-reporter.ts"];
  return withOutcome(`Vitest, ${project}`, (file) =>
    runProgram("node_modules/vitest/vitest.mjs", ["run", "--project", `${project}*`, ...reporters, ...patterns], {
      ...env,
      OUTCOME_FILE: file,
    }),
  );
}

/** Runs the unit tests whose path contains a pattern, and those affected by each change, until it is stopped. */
export async function watchUnitTests(patterns: readonly string[]): Promise<void> {
  await runProgram("node_modules/vitest/vitest.mjs", ["watch", "--project", "unit*", ...patterns]);
}

export function runPlaywright(patterns: readonly string[], env: Env = {}): Promise<Outcome> {
  const reporters = "--reporter=list,./scripts/testing/playwright-reporter.ts";
  return withOutcome("Playwright", (file) =>
    runProgram("node_modules/@playwright/test/cli.js", ["test", reporters, ...patterns], {
      ...env,
      OUTCOME_FILE: file,
    }),
  );
}

/** A run that failed without a failed test (it crashed, say) counts as one failure. */
async function withOutcome(name: string, run: (file: string) => Promise<boolean>): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), "millrace-outcome-"));
  try {
    const file = join(directory, "outcome.json");
    const isPassed = await run(file);
    const outcome = existsSync(file) ? readOutcome(file) : failedAs(`${name} ended without an outcome`);
    if (isPassed || outcome.failures.length > 0) return outcome;
    return { ...outcome, failures: failedAs(`${name} failed without a failed test`).failures };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs a JavaScript program in this Node, and prints its output as it comes. */
export async function runProgram(file: string, args: readonly string[] = [], env: Env = {}): Promise<boolean> {
  const [code] = await once(startProgram(file, args, "inherit", env), "exit");
  return code === 0;
}

/**
 * The same, but returns the output, so that those of programs that run beside each other do not mix. `isPatient`: it
 * takes only the CPU time that nothing else wants.
 */
export async function runCaptured(
  file: string,
  args: readonly string[] = [],
  { isPatient = false } = {},
): Promise<{ isPassed: boolean; output: string }> {
  const child = startProgram(file, args, "pipe");
  if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, "close");
  return { isPassed: code === 0, output };
}

function startProgram(file: string, args: readonly string[], output: "inherit" | "pipe", env: Env = {}) {
  return spawn(process.execPath, [file, ...args], {
    cwd: projectDirectory,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...env },
  });
}
