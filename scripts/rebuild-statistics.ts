// `npm run rebuild-statistics`: compares the statistics with the runs that are stored and corrects them. Safe while the
// service runs; with the embedded database it has to.
import { resolve } from "node:path";
import { rebuildStatistics } from "#lib/executions/rebuild-statistics.ts";
import { runningEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { readSettings, type Settings, SettingsError } from "#lib/platform/env.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";

try {
  loadDotEnv(projectDirectory);
  pointAtDatabase(readSettings(process.env));
  const { workspaces, corrections } = await rebuildStatistics();
  const [of, made] = [workspaces === 1 ? "workspace" : "workspaces", corrections === 1 ? "correction" : "corrections"];
  console.log(`Compared the statistics of ${workspaces} ${of}: ${corrections} ${made}`);
  process.exit(0);
} catch (error) {
  for (const line of error instanceof SettingsError ? error.lines : [error]) console.error(line);
  process.exit(1);
}

/** Only the database is needed; the secrets are named because no server's settings are whole without them. */
function pointAtDatabase({ databaseUrl, dataDir }: Settings): void {
  const url = databaseUrl ?? runningEmbeddedPostgres(resolve(projectDirectory, dataDir));
  if (url === undefined) throw new SettingsError([`No Millrace runs on DATA_DIR ${dataDir}: start it first`]);
  const unused = "not needed for statistics";
  Object.assign(process.env, { DATABASE_URL: url, AUTH_SECRET: unused, ENCRYPTION_KEY: unused });
}
