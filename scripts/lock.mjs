// A lock between processes that survives killed ones. It is a directory of numbered files: the holder is the process
// named in the highest one. A process that finds the holder dead, or the lock released, creates the next number, in
// which only one can succeed. The highest file is never removed, so no number is used twice.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 100;
const released = "released";
/** How long a new file may lack its holder's name: it is created before it is written. */
const namelessMsMax = 2000;
/** How often a holder renews its file, for processes that cannot see it: in another container, or on another machine. */
const renewMs = 500;
/** A holder that cannot be seen, and has not renewed its file for this long, is dead. */
export const silentMsMax = 8000;

/**
 * The holders that this process cannot see, by file: when a renewal was last noticed. Their clock may be another one.
 * @type {Map<string, { mtimeMs: number, at: number }>}
 */
const unseen = new Map();

/**
 * Waits for the lock and holds it until the returned function is called or the process ends.
 * @param {string} directory
 * @param {{ onWait?: () => void }} [options]
 * @returns {Promise<() => void>}
 */
export async function takeLock(directory, { onWait } = {}) {
  for (let turn = 0; ; turn++) {
    const release = tryLockOrEnd(directory);
    if (release) return release;
    if (turn === 0) onWait?.();
    await sleep(pollMs);
  }
}

/**
 * Whatever takes such a lock is about to write to the project: an account without permission gets a one-line error.
 * @param {string} directory
 */
function tryLockOrEnd(directory) {
  try {
    return tryLock(directory);
  } catch (error) {
    const code = String(codeOf(error));
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code)) throw error;
    console.error(`${directory} cannot be written (${code}): start Millrace as the account that owns its folder`);
    process.exit(1);
  }
}

/**
 * Takes the lock if it is free.
 * @param {string} directory
 * @returns {(() => void) | undefined}
 */
export function tryLock(directory) {
  mkdirSync(directory, { recursive: true });
  const taken = turns(directory);
  const last = Math.max(0, ...taken);
  if (last > 0 && isHeld(join(directory, `${last}`))) return undefined;
  const mine = join(directory, `${last + 1}`);
  try {
    writeFileSync(mine, `${identityOf(process.pid) ?? process.pid}\n${world()}`, { flag: "wx" });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw error;
  }
  if (Math.max(...turns(directory)) > last + 1) {
    rmSync(mine, { force: true }); // Two others took and left the lock since it was checked.
    return undefined;
  }
  for (const turn of taken) rmSync(join(directory, `${turn}`), { force: true });
  const renewal = setInterval(() => renew(mine), renewMs).unref();
  return () => {
    clearInterval(renewal);
    writeFileSync(mine, released);
  };
}

/**
 * True while the lock is held by a process that cannot be seen: whether it lives is known only after `silentMsMax`.
 * @param {string} directory
 */
export function isHeldUnseen(directory) {
  return unseen.has(join(directory, `${Math.max(0, ...turns(directory))}`));
}

/** @param {string} file */
function renew(file) {
  const now = Date.now() / 1000;
  try {
    utimesSync(file, now, now);
  } catch {
    // The next renewal may succeed, and a holder that is seen needs none.
  }
}

/** @param {string} directory */
function turns(directory) {
  return readdirSync(directory)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** @param {string} file */
function isHeld(file) {
  try {
    const holder = readFileSync(file, "utf8");
    if (holder === released) return false;
    const [identity = "", where] = holder.split("\n");
    if (where !== undefined && where !== world()) return isRenewed(file);
    if (identity !== "") return identityOf(Number.parseInt(identity, 10)) === identity;
    return Date.now() - statSync(file).mtimeMs < namelessMsMax;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return true; // A newer turn replaced it: look again.
    throw error;
  }
}

/** @param {string} file */
function isRenewed(file) {
  const { mtimeMs } = statSync(file);
  const known = unseen.get(file);
  if (known?.mtimeMs === mtimeMs) return performance.now() - known.at < silentMsMax;
  unseen.set(file, { mtimeMs, at: performance.now() });
  return true;
}

/** What this process can see: process ids mean something only here. */
function world() {
  if (process.platform !== "linux") return "";
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return "";
  }
}

/**
 * A process's id and start time, so that another process with a reused id is not mistaken for it.
 * @param {number} pid
 * @returns {string | undefined} undefined when there is no such process
 */
function identityOf(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return undefined;
  }
  const start = startOf(pid);
  return start === undefined ? undefined : `${pid} ${start}`;
}

/**
 * @param {number} pid
 * @returns {string | undefined} undefined for a zombie process
 */
function startOf(pid) {
  try {
    if (process.platform === "linux") {
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The fields after the command, which is in parentheses and may hold anything: the state first, the start 20th.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" ? undefined : `${boot} ${fields[19]}`;
    }
    if (process.platform === "darwin") {
      return execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8" }).trim();
    }
  } catch {
    // The process is gone, or its start time cannot be read: the id alone must do.
  }
  return "";
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
