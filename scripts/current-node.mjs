// Continues in a Node that runs TypeScript: this process if it is new enough, otherwise the one in the dependencies.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectDirectory } from "./places.mjs";

const installedNode = join(projectDirectory, `node_modules/node/bin/node${process.platform === "win32" ? ".exe" : ""}`);

/**
 * Runs a TypeScript file of the project with the given arguments.
 * @param {string} file relative to the project
 * @param {string[]} [args]
 */
export async function runInCurrentNode(file, args = []) {
  const path = join(projectDirectory, file);
  endWithPackageManager();
  if (runsTypeScript(process.versions.node)) {
    process.argv = [process.execPath, path, ...args];
    await import(pathToFileURL(path).href);
    return;
  }
  // The socket that systemd passes to this process, if any: see passedSocket in server/port.ts.
  const { LISTEN_FDS: count, LISTEN_PID: pid } = process.env;
  const passed = count === "1" && pid === String(process.pid) ? [3] : [];
  standInFor(spawn(currentNode(), [path, ...args], { stdio: ["inherit", "inherit", "inherit", ...passed, "ipc"] }));
}

/**
 * Killing npm means killing the server: without npm it would stay alive unseen and hold its port. Handled like the end
 * of the parent process (stopping.ts).
 */
function endWithPackageManager() {
  if (!process.env.npm_lifecycle_event || process.platform === "win32") return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    if (!process.emit("disconnect")) process.exit(137);
  }, 200);
  watch.unref();
}

/** The path of a Node that runs TypeScript; exits if there is none. */
export function currentNode() {
  if (runsTypeScript(process.versions.node)) return process.execPath;
  if (existsSync(installedNode)) return installedNode;
  console.error(`Millrace needs Node 22.18 or newer, but this is ${process.versions.node}.`);
  process.exit(1);
}

/** @param {string} version */
function runsTypeScript(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/**
 * Makes this process stand in for the child: forwards signals to it, and exits as it does. If this process is killed,
 * the child sees the channel between them close, and ends as if it had been killed too (stopping.ts).
 * @param {import("node:child_process").ChildProcess} child
 */
export function standInFor(child) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(`${child.spawnfile} cannot be run: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}
