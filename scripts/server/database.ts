// The database that the server uses: brought up, and brought up to date.
import { join, resolve } from "node:path";
import { connect, makeDatabase, refuseUnfit } from "#lib/platform/database-connect.ts";
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { type Settings, SettingsError } from "#lib/platform/env.ts";
import { migrate } from "#lib/platform/migrate.ts";
import { projectDirectory } from "../places.mjs";

type Say = (line: string) => void;

/** The address of the database; the embedded one is started unless the settings name another. */
export async function openDatabase(
  settings: Settings,
  dataDir: string,
  { onStop, say }: { onStop(action: () => Promise<void>): void; say: Say },
): Promise<string> {
  if (settings.databaseUrl) {
    await bringUpToDate(settings.databaseUrl, say);
    return settings.databaseUrl;
  }
  say("Starting the database…");
  const { url, stop } = await startEmbeddedPostgres(dataDir, { say });
  onStop(stop);
  await makeDatabase(url);
  await bringUpToDate(url, say);
  return url;
}

/** Applies the migrations that the database lacks; instances that start at once take turns. */
export async function bringUpToDate(url: string, say: Say): Promise<void> {
  const client = await connect(url, { say });
  try {
    await refuseUnfit(client, url);
    await migrate(client, join(projectDirectory, "prisma/migrations"), say);
  } finally {
    await client.end();
  }
}

/**
 * Lets a command work on the database of the service, which runs where the database is the embedded one. Only that is
 * needed; the secrets are named because no server's settings are whole without them.
 */
export function pointAtDatabase({ databaseUrl, dataDir }: Settings): void {
  const url = databaseUrl ?? runningEmbeddedPostgres(resolve(projectDirectory, dataDir));
  if (url === undefined) throw new SettingsError([`No Millrace runs on DATA_DIR ${dataDir}: start it first`]);
  const unused = "not needed for this command";
  Object.assign(process.env, { DATABASE_URL: url, AUTH_SECRET: unused, ENCRYPTION_KEY: unused });
}
