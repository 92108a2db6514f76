// Every check and test in the order of what they need: the sources, a database, a running server, a browser. A stage that
// fails does not keep the next from running, unless that needs what failed. The last line sums up.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { coverageLine, specificationCoverage } from "#e2e/specification/coverage.ts";
import { makeDatabaseOnce } from "#e2e/support/made-database.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { projectDirectory } from "../places.mjs";
import { runChecks } from "./checks.ts";
import { installChromium } from "./install-chromium.ts";
import { failedAs, type Outcome, summary } from "./outcome.ts";
import { runCaptured, runPlaywright, runProgram, runVitest, watchUnitTests } from "./test-programs.ts";

const stages = ["check", "unit", "api", "browser"] as const;
type Stage = (typeof stages)[number];

const build = ["scripts/build.mjs", ["--if-stale"]] as const;

const [requestedStage, ...patterns] = process.argv.slice(2);
if (requestedStage && !isStage(requestedStage)) {
  console.error(`npm test -- [${stages.join("|")} [pattern]]; npm run test:unit -- --watch [pattern]`);
  process.exit(1);
}
if (requestedStage === "unit" && patterns.includes("--watch")) {
  await watchUnitTests(patterns.filter((pattern) => pattern !== "--watch"));
  process.exit(0);
}
shareCompiledCode();
const outcomes = await runStages(requestedStage ? [requestedStage as Stage] : stages);
console.log(`\n${summary(outcomes)}`);
process.exit(outcomes.every(isPassed) && outcomes.some(({ passed }) => passed > 0) ? 0 : 1);

/** Every server and worker of a run loads the same modules: the first compiles them for all. */
function shareCompiledCode(): void {
  const directory = temporaryDirectory();
  process.env.NODE_COMPILE_CACHE = directory;
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
}

async function runStages(stages: readonly Stage[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  if (stages.includes("check")) outcomes.push(await stage("Checks", runChecks));
  else await runProgram("scripts/generate-prisma.mjs");
  const needsServer = stages.includes("api") || stages.includes("browser");
  // The unit tests wait half of their time, for databases and moments: the build takes what they leave of the CPU.
  const begun = stages.includes("unit") && needsServer ? runCaptured(...build, { isPatient: true }) : undefined;
  if (stages.includes("unit")) {
    outcomes.push(await stage("Unit tests", () => runVitest("unit", patterns)));
    console.log(coverageLine(specificationCoverage()));
  }
  if (!needsServer) return outcomes;
  return [...outcomes, ...((await isBuilt(begun)) ? await runAgainstServer(stages) : [failedAs("the build")])];
}

/** Whether the build succeeds, which may have begun. */
async function isBuilt(begun: ReturnType<typeof runCaptured> | undefined): Promise<boolean> {
  if (begun === undefined) return await runProgram(...build);
  const { isPassed, output } = await begun;
  console.log(output);
  return isPassed;
}

async function runAgainstServer(stages: readonly Stage[]): Promise<Outcome[]> {
  let server: RunningServer;
  const removeDatabase = await makeDatabaseOnce();
  try {
    server = await startServer();
  } catch (error) {
    console.error(error);
    removeDatabase();
    return [failedAs("the start of the server that is tested")];
  }
  const { url, apiKey, email, password, dataDir } = server;
  const env = { BASE_URL: url, API_KEY: apiKey, EMAIL: email, PASSWORD: password, DATA_DIR: dataDir };
  const outcomes: Outcome[] = [];
  if (stages.includes("api")) outcomes.push(await stage("API tests", () => runVitest("api", patterns, env)));
  if (stages.includes("browser") && existsSync(join(projectDirectory, "e2e/browser"))) {
    outcomes.push(await stage("Browser tests", () => runInBrowser(env)));
  }
  const code = await server.stop();
  removeDatabase();
  if (code === 0) return outcomes;
  console.error(`The server ended with ${code} when it was stopped:\n${server.logs()}`);
  return [...outcomes, failedAs(`the end of the server that is tested: it exited with ${code}`)];
}

async function runInBrowser(env: Record<string, string>): Promise<Outcome> {
  return (await installChromium()) ? runPlaywright(patterns, env) : failedAs("the installation of Chromium");
}

async function stage(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
  console.log(`\n── ${name}`);
  const outcome = await run();
  console.log(`── ${name}: ${outcome.passed} passed, ${outcome.failures.length} failed`);
  return outcome;
}

function isPassed({ failures }: Outcome): boolean {
  return failures.length === 0;
}

function isStage(name: string): name is Stage {
  return (stages as readonly string[]).includes(name);
}
