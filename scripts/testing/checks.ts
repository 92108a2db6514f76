// The checks, which run beside each other: only one of them keeps two cores busy. Each reports only what is wrong.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../places.mjs";
import { failedAs, type Outcome } from "./outcome.ts";
import { runCaptured } from "./test-programs.ts";

type Check = { name: string; program: string; args?: string[] };

const inColour = process.stdout.isTTY === true;

const preparations: Check[] = [
  { name: "Prisma client", program: "scripts/generate-prisma.mjs" },
  { name: "route types", program: "node_modules/next/dist/bin/next", args: ["typegen"] },
];

const checks: Check[] = [
  {
    name: "format and lint",
    program: "node_modules/@biomejs/biome/bin/biome",
    args: ["ci", "--diagnostic-level=warn", "--max-diagnostics=50", `--colors=${inColour ? "force" : "off"}`],
  },
  { name: "types", program: "node_modules/typescript/bin/tsc", args: ["--noEmit", "--pretty", `${inColour}`] },
  { name: "nothing unused", program: "node_modules/knip/bin/knip.js", args: ["--no-progress", "--no-config-hints"] },
];

export async function runChecks(): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, failures: [], flaky: [] };
  const needed = existsSync(join(projectDirectory, "app")) ? preparations : preparations.slice(0, 1);
  const report = async (check: Check) => {
    const startedAt = performance.now();
    const { isPassed, output } = await runCaptured(check.program, check.args);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${output}${isPassed ? "✓" : "✗"} ${check.name} (${seconds} s)`);
    if (isPassed) outcome.passed++;
    else outcome.failures.push(...failedAs(`check: ${check.name}`).failures);
  };
  for (const preparation of needed) await report(preparation);
  await Promise.all(checks.map(report));
  return outcome;
}
