// For tests of what stands on the database: a database of the file's own, and the settings that lead there.

import { scopes } from "#lib/access.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { database, pool } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { createTestDatabase } from "./test-database.ts";

/** Everything in `lib` of this process works on a new database until `drop` is called. */
export async function useOwnDatabase(): Promise<{ drop(): Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  Object.assign(process.env, {
    DATABASE_URL: url,
    AUTH_SECRET: "a".repeat(32),
    ENCRYPTION_KEY: "b".repeat(32),
  });
  return {
    drop: async () => {
      await database().$disconnect();
      await pool().end();
      await drop();
    },
  };
}

/** A workspace, and someone who may do everything in it. */
export async function newActor(): Promise<Actor> {
  const workspaceId = newId("workspace");
  await database().workspace.create({ data: { id: workspaceId, name: "Test", tier: "enterprise" } });
  return { workspaceId, tier: "enterprise", scopes: new Set(scopes), by: { kind: "key", id: "key_test" } };
}
