// Generates what the server needs from the sources.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { isBuilt } from "./build-stamp.mjs";
import { projectDirectory } from "./places.mjs";
import { StartError } from "./server/stopping.ts";

/** How the scripts' own progress lines start; the rest is the build's report. */
const progressLine = /^(Building|Waiting for a build).*…$/;

/** A build takes a minute, or several on a small machine: without progress lines it would seem to hang. */
const reportMs = 20_000;

type Options = { dev: boolean; onStop(action: () => void): void; log: (line: string) => void };

/** Runs the production build unless it matches the sources; for development the Prisma client is enough. */
export async function buildWhenStale({ dev, ...options }: Options): Promise<void> {
  if (!dev && isBuilt()) return;
  await runBuild(dev ? ["scripts/generate-prisma.mjs"] : ["scripts/build.mjs", "--if-stale"], options);
}

/** Runs a program of this checkout and prints its progress; if it fails, prints its report and throws a StartError. */
export async function runBuild(
  command: readonly string[],
  { onStop, log }: Omit<Options, "dev">,
  reportEveryMs = reportMs,
): Promise<void> {
  const child = spawn(process.execPath, command, { cwd: projectDirectory, stdio: ["ignore", "pipe", "pipe"] });
  onStop(() => void child.kill("SIGTERM"));
  const report = reportOf(child, log);
  const startedAt = performance.now();
  const reportTime = () => log(`Still building after ${Math.round((performance.now() - startedAt) / 1000)} seconds…`);
  const timer = setInterval(reportTime, reportEveryMs);
  const [code] = await once(child, "close").finally(() => clearInterval(timer));
  if (code === 0) return;
  console.error(report.join("").trimEnd());
  throw new StartError("The build failed: see above");
}

/** Prints progress lines, and keeps the other output in case the build fails. */
function reportOf(child: ChildProcess, log: (line: string) => void): string[] {
  const report: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    report.push(text);
    for (const line of text.split("\n")) if (progressLine.test(line)) log(line);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => report.push(text));
  return report;
}
