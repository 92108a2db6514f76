// `npm run migrate`: brings the database up to date where no `npm start` does, as before `next start` or on Vercel.
import { DatabaseError } from "#lib/platform/database.ts";
import { readSettings, SettingsError } from "#lib/platform/env.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { bringUpToDate } from "./server/database.ts";

try {
  loadDotEnv(projectDirectory);
  const { databaseUrl } = readSettings(process.env);
  if (databaseUrl === undefined)
    throw new DatabaseError("DATABASE_URL must be set: `npm start` sees to its own database");
  await bringUpToDate(databaseUrl, console.log);
  console.log("The database is up to date");
} catch (error) {
  const lines =
    error instanceof SettingsError ? error.lines : error instanceof DatabaseError ? [error.message] : [error];
  for (const line of lines) console.error(line);
  process.exitCode = 1;
}
