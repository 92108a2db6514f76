// `npm run migrate`: migrates the database without `npm start`: before `next start`, or on Vercel, where a build
// without a database, or a preview that may use production's, must not migrate.
import { DatabaseError } from "#lib/errors.ts";
import { readSettings, SettingsError } from "#lib/platform/env.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { migrateDatabase } from "./server/database.ts";

const reason = reasonToSkip();
if (reason === null) await migrateOwn();
else console.log(`Not migrated: ${reason}`);

function reasonToSkip(): string | null {
  const { VERCEL, VERCEL_ENV, MIGRATE_PREVIEWS, DATABASE_URL } = process.env;
  if (!VERCEL) return null;
  if (!DATABASE_URL) return "DATABASE_URL is not set for this build";
  if (VERCEL_ENV !== "preview" || MIGRATE_PREVIEWS === "1") return null;
  return "this is a preview. Set MIGRATE_PREVIEWS=1 once previews have a database of their own";
}

async function migrateOwn(): Promise<void> {
  try {
    loadDotEnv(projectDirectory);
    const { databaseUrl } = readSettings(process.env);
    if (databaseUrl === undefined)
      throw new DatabaseError("DATABASE_URL must be set: `npm start` manages its own database");
    await migrateDatabase(databaseUrl, console.log);
    console.log("The database is up to date");
  } catch (error) {
    const lines =
      error instanceof SettingsError ? error.lines : error instanceof DatabaseError ? [error.message] : [error];
    for (const line of lines) console.error(line);
    process.exitCode = 1;
  }
}
