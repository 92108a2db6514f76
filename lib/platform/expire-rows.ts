import { queryPlanned } from "./database.ts";

const batchMax = 1_000;

/** Tables whose rows are of no use after a time, and the column that tells their age. */
const ages = { idempotency_key: "created_at", quota_window: "started_at" } as const;

/** Deletes the rows that are older, a batch at a time; gives how many there were. Processes may do so at once. */
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
