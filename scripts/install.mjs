// Installs the dependencies when they are missing or not those of package-lock.json.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeLock } from "./lock.mjs";
import { locksDirectory, projectDirectory } from "./places.mjs";

const lockFile = join(projectDirectory, "package-lock.json");
const installedLockFile = join(projectDirectory, "node_modules/.package-lock.json");
const stampFile = join(projectDirectory, "node_modules/.installed-lock-hash");

export async function installWhenNeeded() {
  if (isInstalled()) return;
  const release = await takeLock(join(locksDirectory, "install"), {
    onWait: () => console.log("Waiting for another start that is installing…"),
  });
  try {
    if (isInstalled()) return;
    if (!isInstalledByHand()) install();
    writeFileSync(stampFile, lockHash());
  } finally {
    release();
  }
}

function install() {
  console.log("Installing dependencies…");
  // The npm that runs this script, when one does; `--include=dev` because NODE_ENV=production would leave out
  // what builds and checks.
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const options = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const result = spawnSync(command, [...first, ...options], {
    cwd: projectDirectory,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32" && command === "npm",
  });
  if (result.status !== 0) {
    console.error("The dependencies could not be installed: see npm's message above, or try `npm ci`.");
    process.exit(1);
  }
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

/** Whether `npm ci` or `npm install` was run by hand: npm writes down what it installed as its last step. */
function isInstalledByHand() {
  try {
    const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages;
    const installed = JSON.parse(readFileSync(installedLockFile, "utf8")).packages;
    return Object.keys(wanted).every(
      (path) => path === "" || wanted[path].optional || installed[path]?.version === wanted[path].version,
    );
  } catch {
    return false;
  }
}
