// Every check and test in the order of what they need: the sources, a database, a running server, a browser. A stage that
// fails does not keep the next from running, unless that needs what failed. The last line sums up.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { coverageLine, specificationCoverage } from "#e2e/specification/coverage.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { projectDirectory } from "../places.mjs";
import { runChecks } from "./checks.ts";
import { installChromium } from "./install-chromium.ts";
import { oneFailure, runPlaywright, runProgram, runVitest, sum, type Tally, watchUnitTests } from "./test-programs.ts";

const stages = ["check", "unit", "api", "browser"] as const;
type Stage = (typeof stages)[number];

const [asked, ...patterns] = process.argv.slice(2);
if (asked && !isStage(asked)) {
  console.error(`npm test -- [${stages.join("|")} [pattern]]; npm run test:unit -- --watch [pattern]`);
  process.exit(1);
}
if (asked === "unit" && patterns.includes("--watch")) {
  await watchUnitTests(patterns.filter((pattern) => pattern !== "--watch"));
  process.exit(0);
}
const { passed, failed } = sum(await runStages(asked ? [asked as Stage] : stages));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function runStages(wanted: readonly Stage[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  if (wanted.includes("check")) tallies.push(await stage("Checks", runChecks));
  else await runProgram("scripts/generate-prisma.mjs");
  if (wanted.includes("unit")) {
    tallies.push(await stage("Unit tests", () => runVitest("unit", patterns)));
    console.log(coverageLine(specificationCoverage()));
  }
  if (wanted.includes("api") || wanted.includes("browser")) tallies.push(...(await runAgainstServer(wanted)));
  return tallies;
}

async function runAgainstServer(wanted: readonly Stage[]): Promise<Tally[]> {
  if (!(await runProgram("scripts/build.mjs", ["--if-stale"]))) return [oneFailure];
  let server: RunningServer;
  try {
    server = await startServer();
  } catch (error) {
    console.error(error);
    return [oneFailure];
  }
  const { url, apiKey, email, password, dataDir } = server;
  const env = { BASE_URL: url, API_KEY: apiKey, EMAIL: email, PASSWORD: password, DATA_DIR: dataDir };
  const tallies: Tally[] = [];
  if (wanted.includes("api")) tallies.push(await stage("API tests", () => runVitest("api", patterns, env)));
  if (wanted.includes("browser") && existsSync(join(projectDirectory, "e2e/browser"))) {
    tallies.push(await stage("Browser tests", () => runInBrowser(env)));
  }
  const code = await server.stop();
  if (code === 0) return tallies;
  console.error(`The server ended with ${code} when it was stopped:\n${server.logs()}`);
  return [...tallies, oneFailure];
}

async function runInBrowser(env: Record<string, string>): Promise<Tally> {
  return (await installChromium()) ? runPlaywright(patterns, env) : oneFailure;
}

async function stage(name: string, run: () => Promise<Tally>): Promise<Tally> {
  console.log(`\n── ${name}`);
  const tally = await run();
  console.log(`── ${name}: ${tally.passed} passed, ${tally.failed} failed`);
  return tally;
}

function isStage(word: string): word is Stage {
  return (stages as readonly string[]).includes(word);
}
