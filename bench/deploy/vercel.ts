// What Vercel would run: `vercel build` on a copy of the last commit, and its functions, each in a separate process and
// moved out of where they were built. Vercel's command line is installed into `.bench/`, outside of the project.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startServer } from "../../e2e/support/server.ts";
import { temporaryDirectory } from "../../e2e/support/temporary-directory.ts";
import { createTestDatabase, startTestPostgres } from "../../e2e/support/test-database.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { makeFlow } from "../millrace.ts";
import { freePort, startChildServer } from "../peers/child-server.ts";

const commandLine = "vercel@60.1.3";
const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
const double = [{ id: "double", type: "code", config: { code: "return $trigger.body.n * 2" } }];

export async function vercelBenchmark(): Promise<void> {
  const directory = temporaryDirectory();
  const postgres = await startTestPostgres();
  try {
    const built = join(directory, "built");
    const startedAt = performance.now();
    buildIn(built);
    console.log(`\nvercel build, with its own npm ci: ${seconds(startedAt)} seconds`);
    const routes = ["/api/health", "/api/v1/node-types", "/sign-in", "/api/v1/webhooks/[id]"];
    const functions = routes.map((route) => ({ route, folder: join(directory, "functions", `${route}.func`) }));
    const sizes = functions.map(({ route, folder }) => moveOut(built, route, folder));
    renameSync(built, join(directory, "hidden"));
    const database = (await createTestDatabase({ server: postgres.url })).url;
    // Migrates, and creates the owner and a flow, as a user would from their own machine.
    const server = await startServer({ env: { DATABASE_URL: database, ...secrets } });
    const flow = await makeFlow(server, double, []);
    await server.stop();
    const rows: object[] = [];
    for (const [index, { route, folder }] of functions.entries()) {
      const path = route.includes("[id]") ? new URL(flow.url).pathname : route;
      rows.push({ route, megabytes: sizes[index], ...(await callTwice(folder, route, path, database)) });
    }
    console.log("\nIts functions, moved, each in a process of its own: the first call and the second, in milliseconds");
    console.table(rows);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function buildIn(folder: string): void {
  const tools = join(projectDirectory, ".bench/vercel");
  if (!existsSync(join(tools, "node_modules/.bin/vercel"))) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, "package.json"), JSON.stringify({ private: true }));
    console.log("Installing Vercel's command line into .bench/vercel…");
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", commandLine], tools);
  }
  run("git", ["clone", "--quiet", projectDirectory, folder], projectDirectory);
  mkdirSync(join(folder, ".vercel"));
  const settings = { framework: "nextjs", nodeVersion: "24.x" };
  writeFileSync(join(folder, ".vercel/project.json"), JSON.stringify({ projectId: "prj", orgId: "team", settings }));
  // The token is never sent: nothing is deployed.
  run(join(tools, "node_modules/.bin/vercel"), ["build", "--yes", "--token", "none"], folder);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { DATABASE_URL: _, ...rest } = process.env;
  const env = { ...rest, VERCEL_TELEMETRY_DISABLED: "1" };
  execFileSync(command, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"], maxBuffer: 2 ** 28 });
}

/** Copies a function with the files that it lists; returns its size in megabytes. */
function moveOut(built: string, route: string, folder: string): number {
  const made = join(built, ".vercel/output/functions", `${route}.func`);
  cpSync(made, folder, { recursive: true, dereference: true });
  const { filePathMap = {} } = JSON.parse(readFileSync(join(made, ".vc-config.json"), "utf8")) as {
    filePathMap?: Record<string, string>;
  };
  let bytes = 0;
  for (const [name, source] of Object.entries(filePathMap)) {
    const to = join(folder, name);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(built, source), to, { recursive: true, dereference: true });
    bytes += statSync(to).size;
  }
  return Math.round(bytes / 1e5) / 10;
}

interface Calls {
  readonly first: number;
  readonly second: number;
  readonly status: number;
}

async function callTwice(folder: string, route: string, path: string, database: string): Promise<Calls> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${path}`;
  const call = async () => {
    const startedAt = performance.now();
    const response = await fetch(url, requestOf(route));
    const text = await response.text();
    if (response.status === 200 && route.includes("[id]") && text !== "42") throw new Error(`${path} answered ${text}`);
    return { status: response.status, ms: Math.round(performance.now() - startedAt) };
  };
  const deployed = { VERCEL: "1", VERCEL_ENV: "production", VERCEL_URL: "flows.vercel.app" };
  const env = { ...deployed, ...secrets, DATABASE_URL: database, PUBLIC_URL: new URL(url).origin };
  const place = { PORT: `${port}`, FUNCTION: folder, MATCHED: route, INNGEST_DEV: "http://127.0.0.1:65535" };
  const child = await startChildServer({
    command: process.execPath,
    args: [join(projectDirectory, "bench/deploy/vercel-function.mjs")],
    cwd: folder,
    env: { ...env, ...place },
    readyUrl: `http://127.0.0.1:${port}/ready`,
  });
  try {
    const first = await call();
    const second = await call();
    return { first: first.ms, second: second.ms, status: second.status };
  } finally {
    await child.stop();
  }
}

function requestOf(route: string): RequestInit {
  if (!route.includes("[id]")) return {};
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ n: 21 }) };
}

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(0);
