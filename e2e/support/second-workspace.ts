// Another tenant in the running server's database: the API cannot create one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scopes } from "#lib/access.ts";
import { hashOfKey, newApiKey, shownPrefix } from "#lib/auth/api-keys.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { clusterOf, superuser } from "#lib/platform/embedded-postgres/cluster.ts";
import { newId } from "#lib/platform/ids.ts";

/** The line of `postmaster.pid` with the port. */
const portLine = 3;

/** Creates a workspace in the database of the server with this data directory; returns its key with all scopes. */
export async function secondWorkspace(dataDir: string): Promise<string> {
  return await addWorkspace(databaseUrlOf(dataDir));
}

/** Creates a workspace with one key with all scopes; returns the key. */
export async function addWorkspace(databaseUrl: string): Promise<string> {
  const client = await connect(databaseUrl);
  const [workspaceId, key] = [newId("workspace"), newApiKey()];
  try {
    await client.query("INSERT INTO workspace (id, name, tier) VALUES ($1, 'Second', 'enterprise')", [workspaceId]);
    await client.query(
      "INSERT INTO api_key (id, workspace_id, name, hash, prefix, scopes) VALUES ($1, $2, 'Only', $3, $4, $5)",
      [newId("key"), workspaceId, hashOfKey(key), shownPrefix(key), [...scopes]],
    );
  } finally {
    await client.end();
  }
  return key;
}

/** The URL of the database in this data directory. */
export function databaseUrlOf(dataDir: string): string {
  const port = readFileSync(join(clusterOf(dataDir), "postmaster.pid"), "utf8")
    .split("\n")
    [portLine]?.trim();
  const password = readFileSync(join(dataDir, "postgres-password"), "utf8").trim();
  return `postgresql://${superuser}:${password}@127.0.0.1:${port}/millrace`;
}
