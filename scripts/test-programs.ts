// Vitest and Playwright: they show what they do as they do it, and leave a report from which the results are counted.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { runProgram } from "./run-program.ts";
import type { Tally } from "./tally.ts";

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
