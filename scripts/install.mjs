// Installs the dependencies if they are missing or do not match package-lock.json.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { takeLock } from "./lock.mjs";
import { locksDirectory, projectDirectory } from "./places.mjs";

const lockFile = join(projectDirectory, "package-lock.json");
const installedLockFile = join(projectDirectory, "node_modules/.package-lock.json");
const stampFile = join(projectDirectory, "node_modules/.installed-lock-hash");

/** Prisma and Next refuse to install with an older Node; the Node that they run in is installed with them. */
const nodeMajorMin = 20;

export async function installWhenNeeded() {
  if (isInstalled()) return;
  refuseOldNode();
  const release = await takeLock(join(locksDirectory, "install"), {
    onWait: () => console.log("Waiting for another start that is installing…"),
  });
  try {
    if (isInstalled()) return;
    if (!isInstalledByHand()) await install();
    writeFileSync(stampFile, lockHash());
  } finally {
    release();
  }
}

function refuseOldNode() {
  if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) return;
  console.error(`Millrace needs Node ${nodeMajorMin} or newer to start, but this is ${process.versions.node}.`);
  process.exit(1);
}

async function install() {
  console.log("Installing dependencies…");
  const refusal = await npm("ci");
  // Some versions of npm reject a lock file written by others; `npm install` accepts it.
  if (refusal === undefined || (refusal.includes("EUSAGE") && (await npm("install", "--no-save")) === undefined))
    return;
  console.error(refusal.trim());
  console.error("The dependencies could not be installed: npm's message is above.");
  process.exit(1);
}

/**
 * Runs npm to its end. Ending this process ends npm and its children, so that they do not disturb the next start.
 * @param {string[]} command
 * @returns {Promise<string | undefined>} what npm says when it fails
 */
async function npm(...command) {
  // The npm that runs this script, if any; `--include=dev` because NODE_ENV=production would leave out the packages for
  // builds and checks.
  const path = process.env.npm_execpath;
  const [program, first] = path?.endsWith("npm-cli.js") ? [process.execPath, [path]] : ["npm", []];
  const options = ["--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const isWindows = process.platform === "win32";
  const child = spawn(program, [...first, ...command, ...options], {
    cwd: projectDirectory,
    stdio: ["ignore", "ignore", "pipe"],
    shell: isWindows && program === "npm",
    detached: !isWindows, // A process group of its own, to be ended as a whole.
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  /** @type {NodeJS.Signals | undefined} */
  let asked;
  /** @param {NodeJS.Signals} signal */
  const end = (signal) => {
    asked ??= signal;
    if (isWindows || child.pid === undefined) child.kill();
    else process.kill(-child.pid, "SIGTERM");
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, end);
  const failure = await once(child, "close").then(
    ([code]) => (code === 0 ? undefined : output),
    ({ message }) => message,
  );
  for (const signal of signals) process.off(signal, end);
  if (asked !== undefined) process.exit(128 + constants.signals[asked]);
  return failure;
}

function lockHash() {
  return createHash("sha256").update(readFileSync(lockFile)).digest("hex");
}

function isInstalled() {
  try {
    return readFileSync(stampFile, "utf8") === lockHash();
  } catch {
    return false;
  }
}

/** Whether `npm ci` or `npm install` was run by hand and completed: npm writes its own record last. */
function isInstalledByHand() {
  if (!existsSync(installedLockFile)) return false;
  const { packages } = JSON.parse(readFileSync(lockFile, "utf8"));
  return Object.keys(packages).every((path) => path === "" || packages[path].optional || isThere(path, packages[path]));
}

/**
 * @param {string} path
 * @param {{ version?: string }} wanted
 */
function isThere(path, wanted) {
  const file = join(projectDirectory, path, "package.json");
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).version === wanted.version;
}
