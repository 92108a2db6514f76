import { type Scope, scopes, type Tier } from "#lib/access.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";
import type { Actor } from "./actor.ts";
import { hashOfKey, isPossibleKey } from "./api-keys.ts";

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
  recordUse(row.id);
  const known = new Set<string>(scopes);
  return {
    workspaceId: row.workspace_id,
    tier: row.tier,
    scopes: new Set(row.scopes.filter((scope) => known.has(scope)) as Scope[]),
    by: { kind: "key", id: row.id },
  };
}

const usePrecisionMs = 60_000;

/** Updates `lastUsedAt` at most once a minute: a write per request would cost more than the request. */
function recordUse(id: string): void {
  const noted = singleton("key-uses", () => new Map<string, number>());
  const now = nowMs();
  if (now - (noted.get(id) ?? 0) < usePrecisionMs) return;
  if (noted.size > 10_000) noted.clear();
  noted.set(id, now);
  query("note-key-use", "UPDATE api_key SET last_used_at = now() WHERE id = $1", [id]).catch(() => noted.delete(id));
}
