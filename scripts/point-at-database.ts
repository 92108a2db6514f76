import { resolve } from "node:path";
import { runningEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { type Settings, SettingsError } from "#lib/platform/env.ts";
import { projectDirectory } from "./places.mjs";

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
