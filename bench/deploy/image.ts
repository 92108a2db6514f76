// The size of our part of the container image, packed as in the Dockerfile; how long packing takes, and how long a
// server started from it takes.
import { execFile } from "node:child_process";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "../../e2e/support/server.ts";
import { temporaryDirectory } from "../../e2e/support/temporary-directory.ts";
import { createTestDatabase, startTestPostgres } from "../../e2e/support/test-database.ts";
import { projectDirectory } from "../../scripts/places.mjs";

const times = 3;

export async function imageBenchmark(): Promise<void> {
  const directory = temporaryDirectory();
  const pack = join(directory, "app");
  const postgres = await startTestPostgres();
  try {
    // As in the image: built already, with an external database.
    const database = await createTestDatabase({ server: postgres.url });
    const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
    await (await startServer({ env: { DATABASE_URL: database.url, ...secrets } })).stop();
    const startedAt = performance.now();
    await promisify(execFile)(process.execPath, [join(projectDirectory, "scripts/runtime-files.mjs"), pack]);
    const packing = (performance.now() - startedAt) / 1_000;
    const parts = readdirSync(pack).map((part) => ({ part, megabytes: inMegabytes(bytesOf(join(pack, part))) }));
    const largest = parts.sort((a, b) => b.megabytes - a.megabytes).slice(0, 5);
    console.log(`\nThe image without its system and Node: packed in ${packing.toFixed(1)} seconds`);
    console.table([{ part: "all", megabytes: inMegabytes(bytesOf(pack)) }, ...largest]);
    const seconds: { seconds: number }[] = [];
    for (let time = 0; time < times; time += 1) {
      const from = performance.now();
      const server = await startServer({ project: pack, env: { DATABASE_URL: database.url, ...secrets } });
      seconds.push({ seconds: Number(((performance.now() - from) / 1_000).toFixed(2)) });
      await server.stop();
    }
    console.log("\nStarted from it: seconds until it serves");
    console.table(seconds);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function bytesOf(path: string): number {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

const inMegabytes = (bytes: number) => Number((bytes / 1_000_000).toFixed(1));
