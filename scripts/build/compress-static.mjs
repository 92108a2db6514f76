// Compresses a build's scripts and style sheets at the highest level, which is too slow for each request: each file
// gets a compressed copy with the ending `.br`. Files of an earlier build are kept if they still match.
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { projectDirectory } from "../places.mjs";

const compress = promisify(brotliCompress);

const files = globSync(".next/static/**/*.{js,css}", { cwd: projectDirectory });
await Promise.all(files.map((file) => compressFile(join(projectDirectory, file))));

/** @param {string} file */
async function compressFile(file) {
  const compressed = `${file}.br`;
  const earlier = statSync(compressed, { throwIfNoEntry: false });
  if (earlier && earlier.mtimeMs > statSync(file).mtimeMs) return;
  writeFileSync(compressed, await compress(readFileSync(file)));
}
