// Bundles our own programs, which Next does not serve, as JavaScript, so that Node need not strip types.
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { projectDirectory } from "../places.mjs";

const { resolve } = createRequire(import.meta.url);

/**
 * @param {Record<string, string>} input where each file goes in the folder, without its ending, and its source
 * @param {string} folder
 * @param {import("rolldown").InputOptions} [options]
 * @param {import("rolldown").OutputOptions} [output]
 * @returns {Promise<string[]>} the modules that are in it, from the project's folder
 */
export async function bundle(input, folder, options = {}, output = {}) {
  const build = await rolldown({
    input,
    platform: "node",
    logLevel: "warn",
    transform: { target: "node22" },
    ...options,
  });
  try {
    const { output: chunks } = await build.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
      comments: { legal: false },
      ...output,
    });
    const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []));
    return modules.map((id) => relative(projectDirectory, id)).toSorted();
  } finally {
    await build.close();
  }
}

/**
 * Bundles the sandbox's child process with what it reads, in one folder: the engine as WebAssembly, and two sources.
 * @param {string} folder
 */
export async function bundleSandbox(folder) {
  const sources = ["prelude.js", "watchdog.js"].map((name) => join("lib/sandbox/child", name));
  const modules = await bundle({ main: "lib/sandbox/child/main.ts" }, folder);
  for (const source of sources) copyFileSync(source, join(folder, source.slice("lib/sandbox/child/".length)));
  const wasm = resolve("@jitl/quickjs-ng-wasmfile-release-sync/wasm");
  copyFileSync(wasm, join(folder, "emscripten-module.wasm"));
  return [...modules, ...sources];
}
