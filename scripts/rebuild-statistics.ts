// `npm run rebuild-statistics`: compares the statistics with the stored runs and corrects them. Safe while the service
// runs; with the embedded database it must be running.
import { rebuildStatistics } from "#lib/executions/statistics/rebuilding/rebuild-statistics.ts";
import { readSettings, SettingsError } from "#lib/platform/env.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { pointAtDatabase } from "./server/database.ts";

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
