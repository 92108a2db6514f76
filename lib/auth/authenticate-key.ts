import { type Scope, scopes, type Tier } from "#lib/access.ts";
import { query } from "#lib/platform/database.ts";
import type { Actor } from "./actor.ts";
import { hashOfKey, isPossibleKey } from "./api-keys.ts";
import { recordUse } from "./last-use.ts";

interface KeyRow {
  id: string;
  workspace_id: string;
  scopes: string[];
  tier: Tier;
}

const findKey = `
  SELECT k.id, k.workspace_id, k.scopes, w.tier
  FROM api_key k JOIN workspace w ON w.id = k.workspace_id
  WHERE (k.hash = $1 OR (k.previous_hash = $1 AND k.previous_until > now()))
    AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`;

/** The key's actor; null if it is malformed, unknown, expired or revoked. Not cached. */
export async function authenticateKey(key: string): Promise<Actor | null> {
  if (!isPossibleKey(key)) return null;
  const [row] = await query<KeyRow>("find-key", findKey, [hashOfKey(key)]);
  if (row === undefined) return null;
  recordUse("api-key", row.id);
  const known = new Set<string>(scopes);
  return {
    workspaceId: row.workspace_id,
    tier: row.tier,
    scopes: new Set(row.scopes.filter((scope) => known.has(scope)) as Scope[]),
    by: { kind: "key", id: row.id },
  };
}
