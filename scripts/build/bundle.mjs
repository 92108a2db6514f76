// Our own programs as JavaScript files: what neither Next serves nor Node should have to strip of its types.
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { projectDirectory } from "../places.mjs";

const { resolve } = createRequire(import.meta.url);

const minimal = { compress: true, mangle: true, codegen: { removeWhitespace: true } };

/**
 * @param {Record<string, string>} input where each file goes in the folder, without its ending, and its source
 * @param {string} folder
 * @param {import("rolldown").InputOptions} [options]
 * @param {import("rolldown").OutputOptions["minify"]} [minify]
 * @returns {Promise<string[]>} the modules that are in it, from the project's folder
 */
export async function bundle(input, folder, options = {}, minify = minimal) {
  const build = await rolldown({
    input,
    platform: "node",
    logLevel: "warn",
    transform: { target: "node22" },
    ...options,
  });
  try {
    const { output } = await build.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      minify,
      comments: { legal: false },
    });
    const modules = output.flatMap((chunk) => (chunk.type === "chunk" ? Object.keys(chunk.modules) : []));
    return modules.map((id) => relative(projectDirectory, id)).toSorted();
  } finally {
    await build.close();
  }
}

/**
 * The sandbox's child, with all that it reads in one folder: the engine as WebAssembly, and two sources beside it.
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
