// Generates the Prisma client unless it matches the schema. `prisma generate` needs no engine, yet its CLI downloads
// one unless one is configured: any executable will do, so that nothing is downloaded at install or build time.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "./places.mjs";

const clientDirectory = join(projectDirectory, "lib/platform/prisma");
const stampFile = join(clientDirectory, "sources-hash");

// The schema and, through the lock file, the version of Prisma.
const hash = createHash("sha256")
  .update(readFileSync(join(projectDirectory, "prisma/schema.prisma")))
  .update(readFileSync(join(projectDirectory, "package-lock.json")))
  .digest("hex");

if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== hash) {
  const result = spawnSync(process.execPath, ["node_modules/prisma/build/index.js", "generate"], {
    cwd: projectDirectory,
    encoding: "utf8",
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (result.status !== 0) {
    console.error(`The Prisma client could not be generated:\n${result.stdout}${result.stderr}`);
    process.exit(1);
  }
  writeFileSync(stampFile, hash);
}
