// `npm pack` packs only the command line and the client, which need no other package: their users do not install the
// server's dependencies. `prepack` builds them and shortens package.json, `postpack` (`--after`) restores it.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { currentNode } from "../current-node.mjs";
import { projectDirectory } from "../places.mjs";

process.chdir(projectDirectory);
const whole = "dist/package.whole.json";
// Also after a pack that was killed.
if (existsSync(whole)) renameSync(whole, "package.json");

if (!process.argv.includes("--after")) {
  const { status } = spawnSync(currentNode(), ["scripts/cli/build.mjs"], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) process.exit(status ?? 1);
  const {
    dependencies,
    devDependencies,
    scripts,
    imports,
    private: _,
    ...packed
  } = JSON.parse(readFileSync("package.json", "utf8"));
  copyFileSync("package.json", whole);
  writeFileSync("package.json", `${JSON.stringify(packed, null, 2)}\n`);
}
