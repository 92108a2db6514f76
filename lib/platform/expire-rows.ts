import { queryPlanned } from "./database.ts";

const batchMax = 1_000;

/** Tables whose rows expire, and the column with their age. */
const ages = {
  idempotency_key: "created_at",
  quota_window: "started_at",
  backtest: "created_at",
  flow_presence: "seen_at",
  alert: "at",
  sign_in_failure: "last_at",
} as const;

/** Deletes older rows in batches; returns how many. Safe to run in several processes at once. */
export async function expireRows(table: keyof typeof ages, before: Date): Promise<number> {
  const text = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE ${ages[table]} < $1 LIMIT ${batchMax} FOR UPDATE SKIP LOCKED)) RETURNING 1 AS gone`;
  let expired = 0;
  for (;;) {
    const { length } = await queryPlanned(text, [before]);
    expired += length;
    if (length < batchMax) return expired;
  }
}
