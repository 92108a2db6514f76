// What a server needs to run once it is built, copied to a directory: the sources' TypeScript runs as it is, the build
// brings its own trace of packages, and of the others only those of the start scripts are needed.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { projectDirectory } from "./places.mjs";

const [target = ""] = process.argv.slice(2);
if (target === "") throw new Error("Which directory? node scripts/runtime-files.mjs <directory>");
process.chdir(projectDirectory);

const sources = ["app", "components", "lib", "examples", "public", "prisma", "scripts"];
const files = [
  "package.json",
  "package-lock.json",
  "next.config.ts",
  "tsconfig.json",
  "instrumentation.ts",
  "proxy.ts",
];
/** Packages that scripts/server/serve.ts, the sandbox's child and the thread that reads import, with all that they depend on. */
const packages = ["next", "react", "react-dom", "pg", "zod", "ipaddr.js", "quickjs-emscripten-core", "acorn"];
const sandboxPackages = ["@jitl/quickjs-ng-wasmfile-release-sync"];

for (const path of [...sources, ...files, "node_modules/.installed-lock-hash"]) copy(path);
for (const path of globSync(".next/*")) if (!/^\.next\/(cache|dev|types)$/.test(path)) copy(path);
for (const path of new Set([...packages, ...sandboxPackages].flatMap((name) => closureOf(name)))) copy(path);
for (const path of tracedFiles()) copy(path);
// Next reads its settings, which are TypeScript, with its compiler.
for (const path of globSync("node_modules/@next/swc-*")) copy(path);

/** @param {string} path */
function copy(path) {
  if (!existsSync(path)) return;
  mkdirSync(join(target, dirname(path)), { recursive: true });
  cpSync(path, join(target, path), { recursive: true, dereference: true, force: true });
}

/**
 * The folder of a package and of everything that it depends on; what it merely can use is left out.
 * @param {string} name
 * @param {string} [from] the package that asks
 * @param {Set<string>} [found]
 */
function closureOf(name, from = "", found = new Set()) {
  const own = join(from, "node_modules", name);
  const folder = from !== "" && existsSync(own) ? own : join("node_modules", name);
  if (found.has(folder) || !existsSync(folder)) return [...found];
  found.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const dependency of Object.keys(dependencies)) closureOf(dependency, folder, found);
  return [...found];
}

/** The files of packages that the build's own traces name. */
function tracedFiles() {
  return globSync(".next/{*,server/**/*}.nft.json")
    .flatMap((trace) =>
      JSON.parse(readFileSync(trace, "utf8")).files.map((/** @type {string} */ file) => join(dirname(trace), file)),
    )
    .map((file) => relative(process.cwd(), resolve(file)))
    .filter((file) => file.startsWith("node_modules") && existsSync(file) && statSync(realpathSync(file)).isFile());
}
