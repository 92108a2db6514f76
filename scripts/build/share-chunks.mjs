// Turbopack writes a copy of a chunk for each route whose other chunks differ. Node loads a file once, even through
// several links: with links in place of the copies, a server reads, compiles and keeps each chunk once.
import { createHash } from "node:crypto";
import { globSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { dirname, relative } from "node:path";
import { projectDirectory } from "../places.mjs";

process.chdir(projectDirectory);
/** @type {Map<string, string>} */
const firsts = new Map();
for (const path of globSync(".next/server/**/*.js").sort()) {
  const key = createHash("sha256").update(readFileSync(path)).digest("hex");
  const first = firsts.get(key);
  if (first === undefined) firsts.set(key, path);
  else if (/\/chunks\//.test(path) && dirname(path) === dirname(first)) link(path, relative(dirname(path), first));
}

/**
 * @param {string} path
 * @param {string} target relative to it
 */
function link(path, target) {
  const made = `${path}.link`;
  try {
    symlinkSync(target, made);
  } catch {
    return; // Windows lets few accounts make links: the copy does as well.
  }
  renameSync(made, path);
}
