import { nowMs } from "#lib/platform/clock.ts";
import { query } from "#lib/platform/database.ts";

const dayMs = 86_400_000;

/** Deletes entries older than this many days, by the only way there is; returns how many. */
export async function expireAuditLog(days: number): Promise<number> {
  const before = new Date(nowMs() - days * dayMs);
  const text = "SELECT delete_audit_entries_before($1)::int AS gone";
  const [row] = await query<{ gone: number }>("expire-audit-log", text, [before]);
  return row?.gone ?? 0;
}
