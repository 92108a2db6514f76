// Vitest and Playwright: they show what they do as they do it, and leave a report from which the results are counted.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { projectDirectory } from "../places.mjs";

const vitestReport = z
  .object({ numPassedTests: z.number(), numFailedTests: z.number() })
  .transform(({ numPassedTests, numFailedTests }): Tally => ({ passed: numPassedTests, failed: numFailedTests }));

const playwrightReport = z
  .object({ stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }) })
  .transform(({ stats }): Tally => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }));

type Env = Record<string, string>;

export function runVitest(project: "unit" | "api", patterns: readonly string[], env: Env = {}): Promise<Tally> {
  return withReport(vitestReport, (report) =>
    runProgram(
      "node_modules/vitest/vitest.mjs",
      [
        "run",
        "--project",
        project,
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
        ...patterns,
      ],
      env,
    ),
  );
}

/** Runs the unit tests whose path contains a pattern, and again what a change concerns, until it is stopped. */
export async function watchUnitTests(patterns: readonly string[]): Promise<void> {
  await runProgram("node_modules/vitest/vitest.mjs", ["watch", "--project", "unit", ...patterns]);
}

export function runPlaywright(patterns: readonly string[], env: Env = {}): Promise<Tally> {
  return withReport(playwrightReport, (report) =>
    runProgram("node_modules/@playwright/test/cli.js", ["test", "--reporter=list,json", ...patterns], {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    }),
  );
}

/** A run that failed without a failed test (a file that cannot be loaded, say) counts as one failure. */
async function withReport(schema: z.ZodType<Tally>, run: (report: string) => Promise<boolean>): Promise<Tally> {
  const directory = mkdtempSync(join(tmpdir(), "millrace-report-"));
  try {
    const report = join(directory, "report.json");
    const isPassed = await run(report);
    const tally = readReport(schema, report);
    return isPassed || tally.failed > 0 ? tally : { ...tally, failed: 1 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readReport(schema: z.ZodType<Tally>, file: string): Tally {
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}

/** How many checks or tests of a stage passed and failed. */
export type Tally = { passed: number; failed: number };

export const oneFailure: Tally = { passed: 0, failed: 1 };

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  });
}

/** Runs a program that is written in JavaScript on this Node; what it prints is shown as it comes. */
export async function runProgram(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: projectDirectory,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, "exit");
  return code === 0;
}
