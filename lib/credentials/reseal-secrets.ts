import { query } from "#lib/platform/database.ts";
import { ownerOf, SealBroken, type Sealed, seal, sealingKeys, unseal } from "#lib/platform/seal.ts";

const batchMax = 200;

/** Where sealed secrets are: tables, and the column that `key_version` stands beside. */
const places = { credential: "ciphertext", webhook_subscription: "secret" } as const;
type Table = keyof typeof places;

/** How many secrets were sealed anew, and how many no key opens. */
export interface Resealed {
  readonly sealed: number;
  readonly unreadable: number;
}

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly ciphertext: Buffer<ArrayBuffer>;
  readonly key_version: number;
}

/**
 * Seals every secret anew that another key than the current one sealed. May be stopped and done again, and several
 * processes may do it at once: a row that was changed meanwhile is left as it is.
 */
export async function resealSecrets(): Promise<Resealed> {
  const done = await Promise.all((Object.keys(places) as Table[]).map(resealTable));
  const total = (count: (one: Resealed) => number) => done.reduce((sum, one) => sum + count(one), 0);
  return { sealed: total((one) => one.sealed), unreadable: total((one) => one.unreadable) };
}

async function resealTable(table: Table): Promise<Resealed> {
  const column = places[table];
  const find = `SELECT id, workspace_id, ${column} AS ciphertext, key_version FROM ${table}
    WHERE id > $1 AND key_version <> $2 ORDER BY id LIMIT ${batchMax}`;
  const change = `UPDATE ${table} SET ${column} = $1, key_version = $2 WHERE id = $3 AND ${column} = $4 RETURNING id`;
  let [sealed, unreadable] = [0, 0];
  for (let after = ""; ; ) {
    const rows = await query<Row & Record<string, unknown>>(`reseal-${table}`, find, [after, sealingKeys()[0].version]);
    for (const row of rows) {
      const anew = sealedAnew({ ciphertext: row.ciphertext, keyVersion: row.key_version }, row);
      if (anew === null) unreadable += 1;
      else {
        const values = [Buffer.from(anew.ciphertext), anew.keyVersion, row.id, row.ciphertext];
        sealed += (await query(`resealed-${table}`, change, values)).length;
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return { sealed, unreadable };
    after = last.id;
  }
}

function sealedAnew(old: Sealed, { workspace_id, id }: Row): Sealed | null {
  const owner = ownerOf(workspace_id, id);
  try {
    return seal(unseal(old, owner), owner);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
