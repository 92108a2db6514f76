// The tools that Millrace is compared with, in a separate folder: none of them is part of the project.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { projectDirectory } from "../../scripts/places.mjs";

const versions = {
  "node-red": "5.0.7",
  "@restatedev/restate-server": "1.7.12",
  "@restatedev/restate-sdk": "1.17.2",
};

/** Installs the peers if they are missing, and returns their folder. */
export function installPeers(): string {
  const folder = join(projectDirectory, ".bench");
  if (!existsSync(join(folder, "node_modules/node-red"))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: versions }));
    console.log("Installing Node-RED and Restate into .bench…");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: "inherit" });
  }
  return folder;
}

/** The path of a file in one of the peers' packages. */
export function peerFile(folder: string, name: string): string {
  return createRequire(join(folder, "package.json")).resolve(name);
}
