// `npm run migrate` as Vercel runs it after a build: it migrates production's database, and previews touch none.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { projectDirectory } from "../../scripts/places.mjs";

const settings: Record<string, string> = {
  VERCEL: "1",
  AUTH_SECRET: "a".repeat(32),
  ENCRYPTION_KEY: "e".repeat(32),
  INNGEST_EVENT_KEY: "0123456789abcdef",
  INNGEST_SIGNING_KEY: "0123456789abcdef",
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});

async function migrate(env: Record<string, string>): Promise<string> {
  const { PATH, HOME } = process.env;
  const own = { PATH, HOME, NODE_ENV: "production" as const, ...settings, ...env };
  const options = { cwd: projectDirectory, env: own };
  return (await promisify(execFile)(process.execPath, ["scripts/migrate.ts"], options)).stdout;
}

async function isMigrated(): Promise<boolean> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query("SELECT to_regclass('execution') IS NOT NULL AS found");
  await client.end();
  return rows[0].found;
}

test("a build without a database says that it did not migrate, and succeeds", async () => {
  expect(await migrate({ VERCEL_ENV: "production" })).toBe("Not migrated: DATABASE_URL is not set for this build\n");
});

test("a preview migrates only if set to have its own database", async () => {
  const preview = { VERCEL_ENV: "preview", DATABASE_URL: database.url };
  expect(await migrate(preview)).toMatch(/^Not migrated: this is a preview\. Set MIGRATE_PREVIEWS=1 .*\n$/);
  expect(await isMigrated()).toBe(false);
  expect(await migrate({ ...preview, MIGRATE_PREVIEWS: "1" })).toMatch(/The database is up to date\n$/);
  expect(await isMigrated()).toBe(true);
});
