// One PostgreSQL process in its own process group: Ctrl-C in the terminal reaches only this process, which finishes its
// work and then stops the database.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, fchownSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "#lib/errors.ts";
import type { Account } from "./account.ts";
import { isReady } from "./postmaster.ts";
import { program } from "./programs.ts";

const readyMsMax = 60_000;
const portTriesMax = 5;
const stopMsMax = 10_000;
const logBytesMax = 5_000_000;

export type Cluster = { directory: string; programs: string; account: Account; logFile: string };
export type ServerProcess = { child: ChildProcess; port: number; stop(): Promise<void> };

/** Starts PostgreSQL on the given port, or on a free one, and resolves when it accepts connections. */
export async function startServer(
  cluster: Cluster,
  settings: readonly string[],
  port?: number,
): Promise<ServerProcess> {
  const giveUpAt = performance.now() + readyMsMax;
  for (let turn = 1; ; turn++) {
    const chosen = port ?? (await freePort());
    const logStart = existsSync(cluster.logFile) ? statSync(cluster.logFile).size : 0;
    const child = spawnServer(cluster, [...settings, `port=${chosen}`]);
    const unwatch = stopWithParent(child, cluster.account);
    if (await isUp(child, cluster.directory)) return { child, port: chosen, stop: () => stop(child, unwatch, cluster) };
    unwatch();
    const log = readFileSync(cluster.logFile, "utf8").slice(logStart);
    if (port === undefined && turn < portTriesMax && /could not bind/.test(log)) continue;
    // A killed server's connections end with their statements, or at their next message.
    if (performance.now() < giveUpAt && /pre-existing shared memory block/.test(log)) {
      await sleep(200);
      continue;
    }
    throw new DatabaseError(
      `The database did not start; ${cluster.logFile} ends:\n${log.trim().split("\n").slice(-8).join("\n")}`,
    );
  }
}

function spawnServer({ directory, programs, account, logFile }: Cluster, settings: readonly string[]): ChildProcess {
  // A file, not a pipe, so that PostgreSQL can still log after this process was killed.
  if (existsSync(logFile) && statSync(logFile).size > logBytesMax) truncateSync(logFile);
  const log = openSync(logFile, "a", 0o600);
  if (account.uid !== undefined && account.gid !== undefined) fchownSync(log, account.uid, account.gid);
  const options = settings.flatMap((setting) => ["-c", setting]);
  const child = spawn(program(programs, "postgres"), ["-D", directory, ...options], {
    ...account,
    cwd: directory,
    detached: true,
    stdio: ["ignore", log, log],
    windowsHide: true,
  });
  child.on("error", () => {}); // It exits without becoming ready, which is reported with its log.
  child.unref();
  closeSync(log);
  return child;
}

async function isUp(child: ChildProcess, directory: string): Promise<boolean> {
  for (const end = performance.now() + readyMsMax; performance.now() < end; await sleep(10)) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    if (isReady(directory, child.pid)) return true;
  }
  child.kill("SIGQUIT");
  return false;
}

/**
 * A shell that reads from a pipe which only this process writes to. If this process is killed, the pipe closes and the
 * shell stops the database; after a clean stop, the shell just exits.
 */
function stopWithParent(child: ChildProcess, account: Account): () => void {
  if (process.platform === "win32" || child.pid === undefined) return () => {};
  const script = 'read -r word; [ "$word" = stopped ] || kill -INT "$1"';
  const watcher = spawn("sh", ["-c", script, "sh", `${child.pid}`], {
    ...account,
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => {});
  watcher.stdin.on("error", () => {});
  watcher.unref();
  return () => watcher.stdin.end("stopped\n");
}

async function stop(child: ChildProcess, unwatch: () => void, { directory, programs }: Cluster): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise<true>((resolve) => child.once("exit", () => resolve(true)));
    // Ends open connections and flushes everything. Windows has no signals, but a program for it.
    if (process.platform === "win32") spawn(program(programs, "pg_ctl"), ["stop", "-m", "fast", "-D", directory]);
    else child.kill("SIGINT");
    if (!(await Promise.race([ended, sleep(stopMsMax)]))) {
      child.kill("SIGQUIT");
      await Promise.race([ended, sleep(stopMsMax)]);
    }
  }
  unwatch();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : 0));
    });
  });
}
