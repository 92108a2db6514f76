import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../failure.ts";
import type { FolderState } from "./state.ts";

const waitMsMax = 10_000;
const pollMs = 50;

/**
 * Runs with the folder locked, because concurrent commands must not overwrite each other's state. Removes the lock of a
 * process that has ended. Throws Failure if another process holds the lock for too long.
 */
export async function withFolderLock<T>(state: FolderState, work: () => Promise<T>): Promise<T> {
  state.prepare();
  const { lockFile } = state;
  const until = performance.now() + waitMsMax;
  while (!take(lockFile)) {
    if (!isHeld(lockFile)) dropStale(lockFile);
    else if (performance.now() > until) throw new Failure("usage", `Another millrace command is using ${state.folder}`);
    else await sleep(pollMs);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
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
    // Just created, and perhaps not written yet.
    if (pid === 0) return Date.now() - statSync(lockFile).mtimeMs < waitMsMax / 2;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
