// Bundles what runs outside Next into `dist/programs`, each file where its source is in the project: the server around
// Next, the commands for a running service, the threads, and the sandbox's child. `npm start` and `npm run build` run it.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { areProgramsBuilt, children, commands, programsFolder, stampPrograms, threads } from "../built-programs.mjs";
import { takeLock } from "../lock.mjs";
import { locksDirectory, projectDirectory } from "../places.mjs";
import { bundle, bundleSandbox } from "./bundle.mjs";

/** The project is found from where a file of it is, which the bundles are not. */
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
    // As it was written, for the stacks of errors.
    await bundle(
      inputOf(commands),
      made,
      { external: isPackage, plugins: [placesMove] },
      { minify: false, chunkFileNames: "scripts/[name]-[hash].mjs" },
    ),
    // Threads are loaded each time they start: with bundled packages, that is fastest.
    await bundle(inputOf([...threads, ...children]), made, {}, { chunkFileNames: "lib/[name]-[hash].mjs" }),
    await bundleSandbox(join(made, "lib/sandbox/child")),
  ];
  replace(programsFolder, made);
  stampPrograms(modules.flat());
}
release();

/**
 * File by file: a server that runs meanwhile finds each whole, and the parts that its own version has still to load stay for
 * a day.
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
