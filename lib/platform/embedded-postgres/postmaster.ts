// Handles a database server left over from an earlier start, and PostgreSQL's pid file of a cluster.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "#lib/errors.ts";

const fastStopMsMax = 30_000;
const immediateStopMsMax = 10_000;

/** Stops a server that still serves the cluster. The caller has locked the data directory, so it is left over. */
export async function stopLeftOver(cluster: string, log: (line: string) => void): Promise<void> {
  const pid = notedPid(cluster);
  if (pid === undefined) return;
  if (!isAlive(pid) || !serves(pid, cluster)) {
    forget(cluster);
    return;
  }
  log("Stopping the database of a killed server…");
  if (await stopped(pid, "SIGINT", fastStopMsMax)) return;
  if (await stopped(pid, "SIGQUIT", immediateStopMsMax)) return;
  throw new DatabaseError(`The database of an earlier start (process ${pid}) does not stop`);
}

/** Whether this server accepts connections, by its pid file. A killed one leaves a file that says so, too. */
export function isReady(cluster: string, pid: number): boolean {
  return notedPid(cluster) === pid && noteOf(cluster)[7]?.trim() === "ready";
}

export interface PostgresAddress {
  readonly port: number;
  /** Undefined if it listens on TCP only, or if this process may not enter the directory. */
  readonly socketDirectory: string | undefined;
}

/** Where a server accepts connections to this cluster; undefined if none does. */
export function addressOf(cluster: string): PostgresAddress | undefined {
  const pid = notedPid(cluster);
  if (pid === undefined || !isAlive(pid) || !serves(pid, cluster) || !isReady(cluster, pid)) return undefined;
  const [, , , port, socketDirectory = ""] = noteOf(cluster);
  const hasSocket = socketDirectory !== "" && existsSync(join(socketDirectory, `.s.PGSQL.${port}`));
  return { port: Number(port), socketDirectory: hasSocket ? socketDirectory : undefined };
}

function notedPid(cluster: string): number | undefined {
  const pid = Number(noteOf(cluster)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function noteOf(cluster: string): string[] {
  const file = join(cluster, "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

async function stopped(pid: number, signal: NodeJS.Signals, msMax: number): Promise<boolean> {
  process.kill(pid, signal);
  for (const end = performance.now() + msMax; performance.now() < end; await sleep(20)) {
    if (!isAlive(pid)) return true;
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return !hasEnded(pid);
}

/** In a container whose first process does not reap children, zombies keep their pids. */
function hasEnded(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && /\) Z [^)]*$/.test(readFileSync(file, "utf8"));
}

/** Whether the process is PostgreSQL on this cluster, not another program with a reused pid. */
function serves(pid: number, cluster: string): boolean {
  const command = commandOf(pid);
  return command.includes("postgres") && command.includes(cluster);
}

function commandOf(pid: number): string {
  if (process.platform === "linux") {
    return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "";
  }
  return spawnSync("ps", ["-o", "command=", "-p", `${pid}`], { encoding: "utf8" }).stdout ?? "";
}

/**
 * PostgreSQL does not start while the process in the pid file lives, even if it is another program or a zombie. The
 * file is kept, because it also names the shared memory by which PostgreSQL finds backends that outlived their server.
 * It gets our own pid: PostgreSQL, as our child, knows that we are not a server.
 */
function forget(cluster: string): void {
  const [, ...rest] = noteOf(cluster);
  writeFileSync(join(cluster, "postmaster.pid"), [process.pid, ...rest].join("\n"));
}
