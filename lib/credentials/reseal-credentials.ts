import { database } from "#lib/platform/database.ts";
import { ownerOf, SealBroken, type Sealed, type SealingKey, seal, sealingKeys, unseal } from "./seal.ts";

const batchMax = 200;

/** How many credentials were sealed anew, and how many no key opens. */
export interface Resealed {
  readonly sealed: number;
  readonly unreadable: number;
}

/**
 * Seals every credential anew that another key than the current one sealed. May be stopped and done again, and several
 * processes may do it at once: a row that was changed meanwhile is left as it is.
 */
export async function resealCredentials(
  keys: readonly [SealingKey, ...SealingKey[]] = sealingKeys(),
): Promise<Resealed> {
  let [sealed, unreadable] = [0, 0];
  for (let after = ""; ; ) {
    const rows = await database().credential.findMany({
      where: { id: { gt: after }, NOT: { keyVersion: keys[0].version } },
      orderBy: { id: "asc" },
      take: batchMax,
    });
    for (const row of rows) {
      const anew = sealedAnew(row, ownerOf(row.workspaceId, row.id), keys);
      if (anew === null) unreadable += 1;
      else {
        const where = { id: row.id, ciphertext: row.ciphertext };
        sealed += (await database().credential.updateMany({ where, data: anew })).count;
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return { sealed, unreadable };
    after = last.id;
  }
}

function sealedAnew(old: Sealed, owner: string, keys: readonly [SealingKey, ...SealingKey[]]): Sealed | null {
  try {
    return seal(unseal(old, owner, keys), owner, keys[0]);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
