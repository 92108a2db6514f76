// Bundles what runs outside Next into `dist/programs`, under the path of its source: the server around Next, the
// commands for a running service, the threads, and the sandbox's child process. Run by `npm start` and `npm run build`.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { areProgramsBuilt, children, commands, programsFolder, stampPrograms, threads } from "../built-programs.mjs";
import { takeLock } from "../lock.mjs";
import { locksDirectory, projectDirectory } from "../places.mjs";
import { bundle, bundleSandbox } from "./bundle.mjs";

/** Sources find the project's folder from their own path, which is another one in a bundle. */
const placesMove = {
  name: "places-move",
  transform: (/** @type {string} */ code, /** @type {string} */ id) => {
    if (id !== join(projectDirectory, "scripts/places.mjs")) return null;
    const place = 'new URL("..", import.meta.url)';
    if (!code.includes(place)) throw new Error("scripts/places.mjs no longer finds the project as bundles expect");
    return code.replace(place, 'import.meta.url.replace(/(.*\\/)dist\\/programs\\/.*/, "$1")');
  },
};

process.chdir(projectDirectory);
// Commands contain the database's client.
await import("../generate-prisma.mjs");
const release = await takeLock(join(locksDirectory, "programs"));
if (!areProgramsBuilt()) {
  const made = `${programsFolder}.new`;
  rmSync(made, { recursive: true, force: true });
  const modules = [
    // Unminified, for readable stack traces.
    await bundle(
      inputOf(commands),
      made,
      { external: isPackage, plugins: [placesMove] },
      { minify: false, chunkFileNames: "scripts/[name]-[hash].mjs" },
    ),
    // Threads load their code at each start, which is fastest with packages bundled.
    await bundle(inputOf([...threads, ...children]), made, {}, { chunkFileNames: "lib/[name]-[hash].mjs" }),
    await bundleSandbox(join(made, "lib/sandbox/child")),
  ];
  replace(programsFolder, made);
  stampPrograms(modules.flat());
}
release();

/**
 * Replaced file by file, each atomically, for a running server; chunks of its version that it may still load stay for a
 * day.
 * @param {string} folder
 * @param {string} made
 */
function replace(folder, made) {
  const files = filesIn(made);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    renameSync(join(made, file), join(folder, file));
  }
  rmSync(made, { recursive: true });
  const kept = new Set(files);
  const dayAgo = Date.now() - 86_400_000;
  for (const file of filesIn(folder)) {
    if (!kept.has(file) && statSync(join(folder, file)).mtimeMs < dayAgo) rmSync(join(folder, file));
  }
}

/**
 * @param {string} folder
 * @returns {string[]} from there
 */
function filesIn(folder) {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return all.filter((file) => statSync(join(folder, file)).isFile());
}

/** @param {readonly string[]} sources */
function inputOf(sources) {
  return Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ""), source]));
}

/** @param {string} id as it is imported */
function isPackage(id) {
  return /^[@a-z]/i.test(id) && !id.startsWith(projectDirectory);
}
