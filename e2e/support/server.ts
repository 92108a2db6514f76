// A separate server for a test: started like `npm start`, on a free port, with its own data directory.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { clusterOf, removeFilesOf } from "#lib/platform/embedded-postgres/cluster.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { dataDirectory } from "./made-database.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const readyMsMax = 180_000;
const databaseStopMsMax = 20_000;

export type RunningServer = {
  url: string;
  apiKey: string;
  email: string;
  password: string;
  pid: number;
  dataDir: string;
  /** Stops the server and returns its exit code. */
  stop(): Promise<number | null>;
  /** Kills the server with its whole process group. */
  kill(): Promise<void>;
  /** What the server printed. */
  logs(): string;
};

type Options = {
  env?: Record<string, string | undefined>;
  /** Kept afterwards; by default, the server gets one that is removed when it exits. */
  dataDir?: string;
  /** The copy of the project to start; this one by default. */
  project?: string;
};

/** Starts a server and resolves when it is ready; rejects with its output if it exits before that. */
export async function startServer({ env = {}, dataDir, project }: Options = {}): Promise<RunningServer> {
  const port = env.PORT ?? `${await freePort()}`;
  const owner = { email: "owner@example.com", password: randomBytes(12).toString("hex") };
  const apiKey = env.BOOTSTRAP_API_KEY ?? `test_${randomBytes(24).toString("hex")}`;
  const directory = dataDir ?? (env.DATABASE_URL ? temporaryDirectory() : dataDirectory());
  const settings = {
    BOOTSTRAP_EMAIL: owner.email,
    BOOTSTRAP_PASSWORD: owner.password,
    BOOTSTRAP_API_KEY: apiKey,
    RATE_LIMIT: "off",
    OUTBOUND_ALLOW: "127.0.0.1,::1,localhost",
    ...env,
    PORT: port,
    DATA_DIR: directory,
  };
  const started = launch(settings, project);
  const { child, logs, ended } = started;
  const cleanUp = () => (dataDir === undefined ? removeDirectory(directory) : undefined);
  if (!(await isReady(started))) {
    kill(child);
    await cleanUp();
    throw new Error(`The server did not become ready:\n${logs()}`);
  }
  const end = async (signal: () => void) => {
    signal();
    const code = await ended;
    await cleanUp();
    return code;
  };
  return {
    url: `http://localhost:${port}`,
    apiKey,
    email: env.BOOTSTRAP_EMAIL ?? owner.email,
    password: env.BOOTSTRAP_PASSWORD ?? owner.password,
    pid: child.pid ?? 0,
    dataDir: directory,
    stop: () => end(() => child.kill("SIGTERM")),
    kill: async () => void (await end(() => kill(child))),
    logs,
  };
}

/** Starts a server that should exit on its own. */
export async function runToEnd(
  env: Record<string, string | undefined>,
): Promise<{ code: number | null; logs: string }> {
  const { ended, logs } = launch(env);
  return { code: await ended, logs: logs() };
}

/** Waits until no database serves the data directory. */
export async function databaseStopped(dataDir: string): Promise<boolean> {
  const note = join(clusterOf(dataDir), "postmaster.pid");
  for (const end = Date.now() + databaseStopMsMax; existsSync(note); await sleep(20)) {
    if (Date.now() > end) return false;
  }
  return true;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : 0));
    });
  });
}

type Launched = { child: ChildProcess; logs: () => string; ended: Promise<number | null> };

function launch(env: Record<string, string | undefined>, project = projectDirectory): Launched {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(project, "scripts/start.mjs")], {
    cwd: project,
    // A separate group, to be killed as a whole; the channel stops the server if the test run is killed.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: "production", ...env },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  return { child, logs: () => printed, ended: once(child, "close").then(([code]) => code as number | null) };
}

async function isReady({ child, logs }: Launched): Promise<boolean> {
  for (const end = Date.now() + readyMsMax; Date.now() < end; await sleep(20)) {
    if (logs().includes("Millrace is ready")) return true;
    if (child.exitCode !== null || child.signalCode !== null) return false;
  }
  return false;
}

function kill(child: ChildProcess): void {
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
}

async function removeDirectory(directory: string): Promise<void> {
  await databaseStopped(directory);
  removeFilesOf(directory);
  rmSync(directory, { recursive: true, force: true });
}
