// Copies the files that a built server needs to a self-contained directory: the packages in the build's traces, and
// those that the commands import.
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { commands } from "./built-programs.mjs";
import { projectDirectory } from "./places.mjs";

const [target = ""] = process.argv.slice(2);
if (target === "") throw new Error("Which directory? node scripts/runtime-files.mjs <directory>");
const targetDirectory = resolve(target);
process.chdir(projectDirectory);
const root = realpathSync(projectDirectory);

const sources = ["app", "components", "lib", "examples", "public", "prisma", "scripts"];
const files = [
  "package.json",
  "package-lock.json",
  "next.config.mjs",
  "tsconfig.json",
  "instrumentation.ts",
  "proxy.ts",
];
/** Not needed by a server: tests, source maps, and type declarations. */
const isLeftOut = /\.test\.tsx?$|\.map$|\.d\.[cm]?ts$/;

/** @type {Set<string>} */
const copied = new Set();
for (const path of [...sources, ...files, "dist/programs", "node_modules/.installed-lock-hash"]) copy(path);
for (const path of globSync(".next/*")) if (!/^\.next\/(cache|dev|types)$/.test(path)) copy(path);
for (const path of new Set(packagesOf(commands).flatMap((name) => closureOf(name)))) copy(path);
for (const path of tracedFiles()) copy(path);

/**
 * Copies a file or a folder. A link within the project becomes the same link within the copy, so that a package stays one
 * package; a link out of the project is replaced by a copy of its target. (`cpSync` leaves links to the original.)
 * @param {string} path relative to the project
 */
function copy(path) {
  if (copied.has(path) || isLeftOut.test(path) || !existsSync(path)) return;
  copied.add(path);
  const place = join(targetDirectory, path);
  mkdirSync(dirname(place), { recursive: true });
  const linked = lstatSync(path).isSymbolicLink() ? relative(root, realpathSync(path)) : "";
  if (linked !== "" && !linked.startsWith("..")) {
    copy(linked);
    if (existsSync(join(targetDirectory, linked))) symlinkSync(relative(dirname(path), linked), place);
  } else if (statSync(path).isDirectory()) {
    mkdirSync(place, { recursive: true });
    for (const name of readdirSync(path)) copy(join(path, name));
  } else {
    copyFileSync(path, place);
  }
}

/**
 * The packages that the programs import, themselves or through files of the project.
 * @param {string[]} entries
 */
function packagesOf(entries) {
  const seen = new Set(entries);
  /** @type {Set<string>} */
  const names = new Set();
  for (const file of seen) {
    // Type-only imports do not exist at run time.
    const code = readFileSync(file, "utf8").replace(/^(import|export) type [^;]*;/gm, "");
    for (const [, wanted = ""] of code.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bresolve\()\s*"([^"]+)"/g)) {
      if (wanted.startsWith("node:")) continue;
      if (wanted.startsWith(".")) seen.add(join(dirname(file), wanted));
      else if (wanted.startsWith("#")) seen.add(wanted.slice(1));
      else names.add(/^(@[^/]+\/)?[^/]+/.exec(wanted)?.[0] ?? wanted);
    }
  }
  return [...names];
}

/**
 * The folders of a package and of its dependencies, including those for this platform.
 * @param {string} name
 * @param {string} [from] the package that imports it
 * @param {Set<string>} [found]
 */
function closureOf(name, from = "", found = new Set()) {
  const own = join(from, "node_modules", name);
  const folder = from !== "" && existsSync(own) ? own : join("node_modules", name);
  if (found.has(folder) || !existsSync(folder)) return [...found];
  found.add(folder);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) closureOf(needed, folder, found);
  return [...found];
}

/** The packages' files in the build's own traces. */
function tracedFiles() {
  return globSync(".next/{*,server/**/*}.nft.json")
    .flatMap((trace) =>
      JSON.parse(readFileSync(trace, "utf8")).files.map((/** @type {string} */ file) => join(dirname(trace), file)),
    )
    .map((file) => relative(process.cwd(), resolve(file)))
    .filter((file) => file.startsWith(`node_modules${sep}`) && existsSync(file) && statSync(file).isFile());
}
