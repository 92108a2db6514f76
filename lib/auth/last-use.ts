import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";
import { singleton } from "#lib/platform/singleton.ts";

const precisionMs = 60_000;

const statements = {
  session: "UPDATE session SET last_seen_at = now() WHERE id = $1",
  "api-key": "UPDATE api_key SET last_used_at = now() WHERE id = $1",
} as const;

/** Stores when it was last used, at most once a minute: a write per request would cost more than the request. */
export function recordUse(of: keyof typeof statements, id: string): void {
  const noted = singleton(`uses-of-${of}`, () => new Map<string, number>());
  const now = nowMs();
  if (now - (noted.get(id) ?? 0) < precisionMs) return;
  if (noted.size > 10_000) noted.clear();
  noted.set(id, now);
  query(`note-use-of-${of}`, statements[of], [id]).catch(() => noted.delete(id));
}
