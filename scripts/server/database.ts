// Starts and migrates the server's database.
import { join, resolve } from "node:path";
import { connect, makeDatabase, refuseUnsuitable } from "#lib/platform/database/connect.ts";
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { type Settings, SettingsError } from "#lib/platform/env.ts";
import { migrate } from "#lib/platform/migrate.ts";
import { projectDirectory } from "../places.mjs";

type Log = (line: string) => void;

/** The database's URL; starts the embedded one unless the settings name another. */
export async function openDatabase(
  settings: Pick<Settings, "databaseUrl">,
  dataDir: string,
  { onStop, log }: { onStop(action: () => Promise<void>): void; log: Log },
): Promise<string> {
  if (settings.databaseUrl) {
    await migrateDatabase(settings.databaseUrl, log);
    return settings.databaseUrl;
  }
  log("Starting the database…");
  const { url, stop } = await startEmbeddedPostgres(dataDir, { log });
  onStop(stop);
  await makeDatabase(url);
  await migrateDatabase(url, log);
  return url;
}

/** Applies missing migrations; concurrent starts take turns. */
export async function migrateDatabase(url: string, log: Log): Promise<void> {
  const client = await connect(url, { log });
  try {
    await refuseUnsuitable(client, url);
    await migrate(client, join(projectDirectory, "prisma/migrations"), log);
  } finally {
    await client.end();
  }
}

/**
 * Points a command at the service's database, which must be running if embedded. Secrets are set only because settings
 * are incomplete without them.
 */
export function pointAtDatabase({ databaseUrl, dataDir }: Settings): void {
  const url = databaseUrl ?? runningEmbeddedPostgres(resolve(projectDirectory, dataDir));
  if (url === undefined) throw new SettingsError([`No Millrace runs on DATA_DIR ${dataDir}: start it first`]);
  const unused = "not needed for this command";
  Object.assign(process.env, { DATABASE_URL: url, AUTH_SECRET: unused, ENCRYPTION_KEY: unused });
}
