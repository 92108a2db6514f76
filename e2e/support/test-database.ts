// Test databases: one PostgreSQL per test run, and one database per test (or file), cloned from a migrated template.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { connect } from "#lib/platform/database/connect.ts";
import { startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { migrate } from "#lib/platform/migrate.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { temporaryDirectory } from "./temporary-directory.ts";

const template = "millrace_template";
/** Test data need not survive a power cut. */
const fastSettings = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=64MB"];

export type TestDatabase = { url: string; drop(): Promise<void> };
export type TestPostgres = { url: string; stop(): Promise<void> };

/** Starts a PostgreSQL with the template. Give its `url` to `createTestDatabase`. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const directory = temporaryDirectory();
  const { url, stop } = await startEmbeddedPostgres(directory, { extraSettings: fastSettings });
  await query(databaseUrl(url, "postgres"), `CREATE DATABASE ${template}`);
  const client = await connect(databaseUrl(url, template));
  await migrate(client, join(projectDirectory, "prisma/migrations"), () => {});
  await client.end();
  return {
    url,
    stop: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A separate database, migrated unless an empty one is requested. */
export async function createTestDatabase({
  server = sharedPostgres(),
  empty = false,
}: {
  server?: string;
  empty?: boolean;
} = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const maintenance = databaseUrl(server, "postgres");
  await query(maintenance, `CREATE DATABASE ${name}${empty ? "" : ` TEMPLATE ${template}`}`);
  return {
    url: databaseUrl(server, name),
    drop: () => query(maintenance, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The PostgreSQL that Vitest's global set-up started. */
function sharedPostgres(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url) return url;
  throw new Error("There is no test database: run the tests through Vitest's configuration");
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, sql: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
