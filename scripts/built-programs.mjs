// Which programs run outside Next, and whether their bundles match the sources.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentNode } from "./current-node.mjs";
import { projectDirectory } from "./places.mjs";

/** The server, and commands for a running one. */
export const commands = [
  "scripts/server/serve.ts",
  "scripts/backup.ts",
  "scripts/migrate.ts",
  "scripts/rebuild-statistics.ts",
  "scripts/reset-password.ts",
  "scripts/restore.ts",
];
export const threads = [
  "lib/reading/thread.ts",
  "lib/polls/feed/thread.ts",
  "lib/flows/text/thread.ts",
  "lib/formats/thread.ts",
  "lib/service-imports/document/thread.ts",
];

/** Child processes, started like threads. */
export const children = ["lib/platform/outbound/sql/sqlite/child.ts"];

export const programsFolder = join(projectDirectory, "dist/programs");
const stampFile = join(programsFolder, "sources.json");
/** What decides how the sources are bundled. */
const bundlers = ["package-lock.json", "package.json", "scripts/build/bundle.mjs", "scripts/build/programs.mjs"];

/**
 * The bundle of a command, built first if it is missing or stale; its source if it cannot be built.
 * @param {string} source
 */
export function builtCommand(source) {
  if (!commands.includes(source)) return source;
  if (!areProgramsBuilt()) {
    const script = join(projectDirectory, "scripts/build/programs.mjs");
    const { status } = spawnSync(currentNode(), [script], { stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) {
      // There may be bundles of older sources: threads and the sandbox's child process must match what starts them.
      process.env.MILLRACE_PROGRAMS = "source";
      return source;
    }
  }
  return join("dist/programs", source.replace(/\.ts$/, ".mjs"));
}

export function areProgramsBuilt() {
  if (!existsSync(stampFile)) return false;
  const sources = stampedSources();
  return sources !== null && Object.entries(sources).every(([file, hash]) => hashOf(file) === hash);
}

/** @returns {Record<string, string> | null} null for a stamp that was not written to its end */
function stampedSources() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return null;
  }
}

/** @param {readonly string[]} modules that are in them */
export function stampPrograms(modules) {
  const own = modules.filter((file) => /^(lib|scripts)\//.test(file));
  const files = [...new Set([...own, ...bundlers])].sort();
  const sources = Object.fromEntries(files.map((file) => [file, hashOf(file)]));
  writeFileSync(stampFile, `${JSON.stringify(sources, null, 2)}\n`);
}

/**
 * @param {string} file from the project's folder
 */
function hashOf(file) {
  const path = join(projectDirectory, file);
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("base64url") : "";
}
