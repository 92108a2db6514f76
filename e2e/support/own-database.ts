// A separate database for one test file, and its settings.

import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { scopes } from "#lib/access.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { typeLearner } from "#lib/flows/learned-types/type-learner.ts";
import { database, pool } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { type CuttingProxy, cuttingProxy } from "./cutting-proxy.ts";
import { createTestDatabase } from "./test-database.ts";

/** Makes `lib` in this process use a new database for this test file. Call it before the file's own set-up. */
export function inOwnDatabase(): void {
  let own: { drop(): Promise<void> } | undefined;
  beforeAll(async () => {
    own = await useOwnDatabase();
  });
  afterAll(() => own?.drop());
}

/** The same until `drop` is called. */
async function useOwnDatabase(): Promise<{ drop(): Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  Object.assign(process.env, {
    DATABASE_URL: url,
    AUTH_SECRET: "a".repeat(32),
    ENCRYPTION_KEY: "b".repeat(32),
  });
  return {
    drop: async () => {
      await typeLearner().store();
      await database().$disconnect();
      await pool().end();
      await drop();
    },
  };
}

export interface ProxiedDatabase {
  readonly proxy: CuttingProxy;
  /** A connection that bypasses the proxy. */
  readonly direct: pg.Client;
  drop(): Promise<void>;
}

/** The same, behind a proxy that can cut or hold the connections of `lib`. */
export async function useProxiedDatabase(): Promise<ProxiedDatabase> {
  const own = await useOwnDatabase();
  const direct = new pg.Client(process.env.DATABASE_URL);
  await direct.connect();
  const proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  process.env.DATABASE_URL = proxy.url;
  return {
    proxy,
    direct,
    drop: async () => {
      await direct.end();
      await own.drop();
      await proxy.close();
    },
  };
}

/** A workspace, and an actor with all permissions in it. */
export async function newActor(): Promise<Actor> {
  const workspaceId = newId("workspace");
  await database().workspace.create({ data: { id: workspaceId, name: "Test", tier: "enterprise" } });
  return { workspaceId, tier: "enterprise", scopes: new Set(scopes), by: { kind: "key", id: "key_test" } };
}
