// `node deploy/keep-chunks.mjs FORMER`: copies into this release, which must be built, what open pages of the former one
// may still ask for. A file is kept for a day after its own release was replaced. Neither needs to run; of a former
// release that is gone, or whose build is, nothing can be kept.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isBuilt } from "../scripts/build-stamp.mjs";
import { projectDirectory } from "../scripts/places.mjs";

const keptMs = 86_400_000;
const folder = ".next/static";
/** When the release of each kept file was replaced, by the file's path: `{"chunks/a.js": 1795694380652}`. */
const list = ".next/kept-chunks.json";

const [former] = process.argv.slice(2);
if (former === undefined) refuse("Name the folder of the release that runs: node deploy/keep-chunks.mjs FORMER");
// A start would build it anew, while all requests wait.
if (!isBuilt()) refuse(`${projectDirectory} is not built as it stands: run 'npm run build' in it first`);
if (existsSync(join(former, ".next/BUILD_ID"))) keep(former);

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  console.error(why);
  process.exit(1);
}

/** @param {string} directory */
function keep(directory) {
  const before = keptIn(directory);
  const kept = keptIn(projectDirectory);
  const now = Date.now();
  // Should this be killed half-way, no file is left half-copied, and the next switch finds a whole list.
  const unfinished = join(projectDirectory, `.next/kept-${process.pid}`);
  let count = 0;
  for (const name of readdirSync(join(directory, folder), { encoding: "utf8", recursive: true })) {
    const from = join(directory, folder, name);
    const to = join(projectDirectory, folder, name);
    const replacedAt = before[name] ?? now;
    if (replacedAt < now - keptMs || !statSync(from).isFile()) continue;
    // A file that is here already has the same content: names change with it.
    const isHere = existsSync(to);
    if (isHere && kept[name] === undefined) continue;
    kept[name] = Math.max(replacedAt, kept[name] ?? 0);
    if (isHere) continue;
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, unfinished);
    renameSync(unfinished, to);
    count += 1;
  }
  writeFileSync(unfinished, JSON.stringify(kept));
  renameSync(unfinished, join(projectDirectory, list));
  console.log(`Files of the former release kept for open pages: ${count}`);
}

/**
 * @param {string} directory
 * @returns {Record<string, number>}
 */
function keptIn(directory) {
  const path = join(directory, list);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
