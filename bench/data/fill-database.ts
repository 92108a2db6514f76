import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connect } from "#lib/platform/database/connect.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { seedExecutions } from "./seed-executions.ts";

/** Statistics need no secrets, but settings are incomplete without them. */
const unused = "not-needed-for-statistics-at-all";

/**
 * Fills the database of a started server with this many executions, and leaves it in the state it would reach after a
 * while.
 */
export async function fillDatabase(databaseUrl: string, size: number): Promise<void> {
  const startedAt = performance.now();
  await seedExecutions(databaseUrl, await workspaceOf(databaseUrl), size);
  await rebuildStatistics(databaseUrl);
  await afterwards(databaseUrl);
  console.log(`${size} executions stored in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

async function workspaceOf(databaseUrl: string): Promise<string> {
  const client = await connect(databaseUrl);
  const { rows } = await client.query<{ id: string }>("SELECT id FROM workspace");
  await client.end();
  return rows[0]?.id ?? "";
}

/** Runs the operator's command, which is measured as well. */
async function rebuildStatistics(databaseUrl: string): Promise<void> {
  const file = join(projectDirectory, "scripts/rebuild-statistics.ts");
  const env = { ...process.env, DATABASE_URL: databaseUrl, AUTH_SECRET: unused, ENCRYPTION_KEY: unused };
  const [code] = await once(spawn(process.execPath, [file], { stdio: "inherit", env }), "exit");
  if (code !== 0) throw new Error("The statistics could not be rebuilt");
}

/** What autovacuum would do in time. */
async function afterwards(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  await client.query("VACUUM ANALYZE");
  await client.query("CHECKPOINT");
  await client.end();
}
