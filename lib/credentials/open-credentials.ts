import { database } from "#lib/platform/database.ts";
import { ownerOf, unseal } from "./seal.ts";

/** A credential as a run uses it, in the clear: never stored, logged or answered. */
export interface OpenCredential {
  readonly name: string;
  readonly type: string;
  readonly data: Record<string, string>;
  readonly allowedHosts: readonly string[];
}

/** The workspace's credentials of these names; all of them for null. */
export async function openCredentials(workspaceId: string, names: readonly string[] | null): Promise<OpenCredential[]> {
  if (names?.length === 0) return [];
  const rows = await database().credential.findMany({
    where: { workspaceId, ...(names === null ? {} : { name: { in: [...names] } }) },
  });
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    data: JSON.parse(unseal(row.ciphertext, ownerOf(workspaceId, row.id))) as Record<string, string>,
    allowedHosts: row.allowedHosts,
  }));
}
