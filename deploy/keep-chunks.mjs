// `node deploy/keep-chunks.mjs FORMER`: copies into this release what open pages of the former one may still ask for. A
// file is kept for a day after its own release was replaced. Both must be built; neither needs to run.
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
import { dirname, join, resolve } from "node:path";
import { projectDirectory } from "../scripts/places.mjs";

const keptMs = 86_400_000;
const folder = ".next/static";
/** When the release of each kept file was replaced, by the file's path: `{"chunks/a.js": 1795694380652}`. */
const list = ".next/kept-chunks.json";

const [former] = process.argv.slice(2);
if (former === undefined || !existsSync(join(former, ".next/BUILD_ID"))) {
  console.error("Name the folder of the release that runs: node deploy/keep-chunks.mjs FORMER");
  process.exit(1);
}
if (resolve(former) !== resolve(projectDirectory)) keep(former);

/** @param {string} directory */
function keep(directory) {
  const before = keptIn(directory);
  const kept = keptIn(projectDirectory);
  const now = Date.now();
  let count = 0;
  for (const name of readdirSync(join(directory, folder), { encoding: "utf8", recursive: true })) {
    const from = join(directory, folder, name);
    const to = join(projectDirectory, folder, name);
    const replacedAt = before[name] ?? now;
    // A file that is here already has the same content: names change with it.
    if (replacedAt < now - keptMs || !statSync(from).isFile() || existsSync(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    kept[name] = replacedAt;
    count += 1;
  }
  // Should this be killed half-way, the next switch still finds a whole list.
  const path = join(projectDirectory, list);
  writeFileSync(`${path}.next`, JSON.stringify(kept));
  renameSync(`${path}.next`, path);
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
