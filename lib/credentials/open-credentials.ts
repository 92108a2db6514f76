import { isStorableText } from "#lib/engine/flow.ts";
import { database } from "#lib/platform/database.ts";
import type { CredentialModel } from "#lib/platform/prisma/models.ts";
import { ownerOf, SealBroken, unseal } from "#lib/platform/seal.ts";

/** A decrypted credential, for a run: never stored, logged or returned. */
export interface OpenCredential {
  readonly name: string;
  readonly type: string;
  readonly data: Record<string, string>;
  readonly allowedHosts: readonly string[];
}

/** A credential that cannot be opened. The message is for whoever runs the flow. */
export class UnreadableCredential extends Error {
  override readonly name = "UnreadableCredential";
}

/** The workspace's credentials of these names; all of them for null. Throws UnreadableCredential. */
export async function openCredentials(workspaceId: string, names: readonly string[] | null): Promise<OpenCredential[]> {
  // No credential has a name that the database cannot store.
  const possible = names?.filter(isStorableText);
  if (possible?.length === 0) return [];
  const rows = await database().credential.findMany({
    where: { workspaceId, ...(possible === undefined ? {} : { name: { in: possible } }) },
  });
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    data: open(row),
    allowedHosts: row.allowedHosts,
  }));
}

function open(row: CredentialModel): Record<string, string> {
  try {
    return JSON.parse(unseal(row, ownerOf(row.workspaceId, row.id))) as Record<string, string>;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new UnreadableCredential(`The credential "${row.name}" cannot be opened: ${error.message}`);
  }
}
