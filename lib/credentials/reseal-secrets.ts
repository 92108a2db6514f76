import { query } from "#lib/platform/database.ts";
import { ownerOf, SealBroken, type Sealed, seal, sealingKeys, unseal } from "#lib/platform/seal.ts";

const batchMax = 200;

/** A table with sealed secrets and a column `key_version`. */
interface Place {
  readonly table: string;
  /** The row's own id. */
  readonly id: string;
  readonly secret: string;
  /** SQL for the two parts of the row that the secret is bound to. */
  readonly holder: string;
  readonly row: string;
}

const places: readonly Place[] = [
  { table: "credential", id: "id", secret: "ciphertext", holder: "workspace_id", row: "id" },
  {
    table: "oauth_connection",
    id: "credential_id",
    secret: "ciphertext",
    holder: "workspace_id",
    row: "credential_id || ':tokens'",
  },
  { table: "webhook_subscription", id: "id", secret: "secret", holder: "workspace_id", row: "id" },
  { table: "two_factor", id: "user_id", secret: "secret", holder: "user_id", row: "'two-factor'" },
];

/** The number of re-encrypted secrets, and of those that no key opens. */
export interface Resealed {
  readonly sealed: number;
  readonly unreadable: number;
}

interface Row {
  readonly id: string;
  readonly holder: string;
  readonly row: string;
  readonly ciphertext: Buffer<ArrayBuffer>;
  readonly key_version: number;
}

/**
 * Re-encrypts every secret that is not sealed with the current key. It can be interrupted and repeated, and run in
 * several processes at once: a row that changed meanwhile is left alone.
 */
export async function resealSecrets(): Promise<Resealed> {
  const done = await Promise.all(places.map(resealTable));
  const total = (count: (result: Resealed) => number) => done.reduce((sum, result) => sum + count(result), 0);
  return { sealed: total((result) => result.sealed), unreadable: total((result) => result.unreadable) };
}

async function resealTable({ table, id, secret, holder, row: part }: Place): Promise<Resealed> {
  const find = `SELECT ${id} AS id, ${holder} AS holder, ${part} AS row, ${secret} AS ciphertext, key_version
    FROM ${table} WHERE ${id} > $1 AND key_version <> $2 ORDER BY ${id} LIMIT ${batchMax}`;
  const change = `UPDATE ${table} SET ${secret} = $1, key_version = $2 WHERE ${id} = $3 AND ${secret} = $4 RETURNING ${id}`;
  let [sealed, unreadable] = [0, 0];
  for (let after = ""; ; ) {
    const rows = await query<Row & Record<string, unknown>>(`reseal-${table}`, find, [after, sealingKeys()[0].version]);
    for (const row of rows) {
      const renewed = resealed({ ciphertext: row.ciphertext, keyVersion: row.key_version }, row);
      if (renewed === null) unreadable += 1;
      else {
        const values = [Buffer.from(renewed.ciphertext), renewed.keyVersion, row.id, row.ciphertext];
        sealed += (await query(`resealed-${table}`, change, values)).length;
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return { sealed, unreadable };
    after = last.id;
  }
}

function resealed(old: Sealed, { holder, row }: Row): Sealed | null {
  const owner = ownerOf(holder, row);
  try {
    return seal(unseal(old, owner), owner);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
