// Bundles the command line and the client into `dist/`, which `npm pack` packs: they need no other package, and no
// network. Run by `npm run build` and `npm pack`.
import * as crypto from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, bundleSandbox } from "../build/bundle.mjs";
import { projectDirectory } from "../places.mjs";
import { clientDeclarations, clientModule } from "./client-module.mjs";

process.chdir(projectDirectory);
const { version, engines } = JSON.parse(readFileSync("package.json", "utf8"));
const [major = 0, minor = 0] = engines.node.match(/\d+/g).map(Number);
/** The target folder; another one, given by a test, gets only the command line. */
const [target = "dist"] = process.argv.slice(2);

/** The entry file: loads the rest if Node is new enough, from the compile cache after the first time. */
const entry = `#!/usr/bin/env node
import * as modules from "node:module";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  console.error(\`millrace needs Node ${major}.${minor} or newer, but this is \${process.versions.node}.\`);
  process.exit(2);
}
modules.enableCompileCache?.();
// Schemas are used once or twice in a process: compiling them first takes longer.
globalThis.__zod_globalConfig = { jitless: true };
await import("./main.mjs");
`;

/** Replaces `node:crypto` in nodes by a lazy import: loading it takes longer than most commands. */
const cryptoNames = Object.entries(crypto).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
const lazyCrypto = {
  name: "lazy-crypto",
  resolveId: (/** @type {string} */ id, /** @type {string | undefined} */ importer) =>
    id === "node:crypto" && importer?.startsWith(join(projectDirectory, "lib")) ? "\0lazy-crypto" : null,
  load: (/** @type {string} */ id) =>
    id === "\0lazy-crypto"
      ? cryptoNames
          .filter((name) => name !== "default")
          .map(
            (name) => `export const ${name} = (...given) => process.getBuiltinModule("node:crypto").${name}(...given);`,
          )
          .join("\n")
      : null,
};

/** @type {import("rolldown").InputOptions} */
const options = {
  plugins: [lazyCrypto],
  transform: { target: "node22", define: { MILLRACE_VERSION: JSON.stringify(version) } },
  // Our own modules have no side effects: what no command uses, such as the database, is left out.
  treeshake: { moduleSideEffects: (id) => !id.startsWith(join(projectDirectory, "lib")) && !id.startsWith("node:") },
};

for (const part of ["cli", "client"]) rmSync(join(target, part), { recursive: true, force: true });
await bundleCommandLine();
await bundleSandbox(join(target, "cli", "sandbox"));
if (target === "dist") await makeClient();

async function bundleCommandLine() {
  const modules = await bundle({ main: "cli/main.ts" }, join(target, "cli"), options);
  writeFileSync(join(target, "cli", "millrace.mjs"), entry);
  chmodSync(join(target, "cli", "millrace.mjs"), 0o755);
  // For a test that checks what an offline program must not contain.
  writeFileSync(join(target, "cli", "modules.json"), `${JSON.stringify(modules, null, 2)}\n`);
}

async function makeClient() {
  const folder = join(target, "client");
  mkdirSync(folder, { recursive: true });
  const source = join(folder, "entry.ts");
  writeFileSync(source, await clientModule());
  await bundle({ client: source }, folder, options);
  rmSync(source);
  writeFileSync(join(folder, "client.d.mts"), await clientDeclarations());
}
