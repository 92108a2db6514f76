// `npm run build`: the Prisma client, what runs outside Next, Next's production build, and the command line. Needs no
// database and no network. With `--if-stale` only if the sources have changed since the last build; builds of the
// same checkout wait for each other.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { isBuilt, sourcesHash, stampBuild, wasBuilt } from "./build-stamp.mjs";
import { currentNode } from "./current-node.mjs";
import { installWhenNeeded } from "./install.mjs";
import { takeLock } from "./lock.mjs";
import { locksDirectory, projectDirectory } from "./places.mjs";

process.chdir(projectDirectory);
await installWhenNeeded();
const release = await takeLock(join(locksDirectory, "build"), {
  onWait: () => console.log("Waiting for a build that another start began…"),
});
if (!process.argv.includes("--if-stale") || !isBuilt()) await build();
release();

async function build() {
  console.log("Building…");
  const hash = sourcesHash();
  if (!wasBuilt()) process.env.BUILD_CACHE = "off"; // next.config.mjs
  // If this build is interrupted, a partial build must not pass for a complete one.
  rmSync(".next/BUILD_ID", { force: true });
  await run("scripts/generate-prisma.mjs");
  // Before Next, which includes them in functions.
  await run("scripts/build/programs.mjs");
  await run("node_modules/next/dist/bin/next", "build");
  // A function is packed with its own traced files: a link's target may not be among them.
  if (!process.env.VERCEL) await run("scripts/build/share-chunks.mjs");
  await run("scripts/build/compress-static.mjs");
  await run("scripts/cli/build.mjs");
  stampBuild(hash);
}

/** @param {string[]} command */
async function run(...command) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const child = spawn(currentNode(), command, { stdio: ["ignore", "inherit", "inherit"], env });
  const forward = () => child.kill("SIGTERM");
  process.once("SIGTERM", forward).once("SIGINT", forward);
  const [code] = await once(child, "exit");
  process.off("SIGTERM", forward).off("SIGINT", forward);
  if (code === 0) return;
  release();
  process.exit(code ?? 1);
}
