// Compresses the scripts and style sheets of a build as well as they can be, which no server has the time for at each
// request: beside each of them stands the same with the ending `.br`. What an earlier build left is kept where it fits.
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { projectDirectory } from "./places.mjs";

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
