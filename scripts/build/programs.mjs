// Bundles what runs outside Next into `dist/programs`, each file where its source is in the project: the server around
// Next, the commands for a running service, the threads, and the sandbox's child. `npm start` and `npm run build` run it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { areProgramsBuilt, commands, programsFolder, stampPrograms, threads } from "../built-programs.mjs";
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
  rmSync(programsFolder, { recursive: true, force: true });
  const modules = [
    // As it was written, for the stacks of errors.
    await bundle(
      inputOf(commands),
      programsFolder,
      { external: isPackage, plugins: [placesMove] },
      { minify: false, chunkFileNames: "scripts/[name]-[hash].mjs" },
    ),
    // Threads are loaded anew each time: with their packages in them, that takes the least.
    await bundle(inputOf(threads), programsFolder, {}, { chunkFileNames: "lib/[name]-[hash].mjs" }),
    await bundleSandbox(join(programsFolder, "lib/sandbox/child")),
  ];
  stampPrograms(modules.flat());
}
release();

/** @param {readonly string[]} sources */
function inputOf(sources) {
  return Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ""), source]));
}

/** @param {string} id as it is imported */
function isPackage(id) {
  return /^[@a-z]/i.test(id) && !id.startsWith(projectDirectory);
}
