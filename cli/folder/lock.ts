import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure.ts";
import type { FolderState } from "./state.ts";

const waitMsMax = 10_000;
const pollMs = 50;
const heartbeatMs = 1_000;
/** A lock that was not renewed for this long is free: its process has ended, and another one may have its id by now. */
const abandonedMs = 300_000;

/**
 * Runs with the folder locked, because concurrent commands must not overwrite each other's state. Throws Failure if
 * another process holds the lock for too long.
 */
export async function withFolderLock<T>(state: FolderState, work: () => Promise<T>): Promise<T> {
  state.prepare();
  return await withLock(state.lockFile, state.folder, work);
}

/**
 * Runs while holding a lock file, in a folder that exists. Removes the lock of a process that has ended. `locked`: what
 * the message names. Throws Failure if another process holds the lock for too long.
 */
export async function withLock<T>(lockFile: string, locked: string, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + waitMsMax;
  while (!take(lockFile)) {
    if (!isHeld(lockFile)) dropStale(lockFile);
    else if (performance.now() > until) throw new Failure("usage", `Another millrace command is using ${locked}`);
    else await sleep(pollMs);
  }
  const heartbeat = setInterval(() => renew(lockFile), heartbeatMs).unref();
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release);
    release();
  }
}

function take(lockFile: string): boolean {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function renew(lockFile: string): void {
  const now = Date.now() / 1_000;
  try {
    utimesSync(lockFile, now, now);
  } catch {
    // Without a renewal the lock still holds for minutes.
  }
}

/** Removes the lock of a process that has ended. If another process did so first and holds the lock now, puts it back. */
function dropStale(lockFile: string): void {
  const staleLock = `${lockFile}.${process.pid}`;
  try {
    renameSync(lockFile, staleLock);
    if (isHeld(staleLock)) linkSync(staleLock, lockFile);
  } catch {
    // Another process was faster.
  }
  rmSync(staleLock, { force: true });
}

function isHeld(lockFile: string): boolean {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    const idleMs = Date.now() - statSync(lockFile).mtimeMs;
    // Just created, and perhaps not written yet.
    if (pid === 0) return idleMs < waitMsMax / 2;
    return idleMs < abandonedMs && isRunning(pid);
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
