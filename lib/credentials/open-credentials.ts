import { isStorableText } from "#lib/engine/flow.ts";
import { database } from "#lib/platform/database.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import type { CredentialModel } from "#lib/platform/prisma/models.ts";
import { ownerOf, SealBroken, type Sealed, unseal } from "#lib/platform/seal.ts";
import { openTokens, type StoredTokens } from "./oauth/connection.ts";

/** A decrypted credential, for a run: never stored, logged or returned. */
export interface OpenCredential {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly type: string;
  /** For type `oauth2`, with its tokens, which may have expired. */
  readonly data: Record<string, string>;
  /** Its stored data. */
  readonly application: Record<string, string>;
  readonly allowedHosts: readonly string[];
}

/** A credential that cannot be decrypted. The message is for the flow's user. */
export class UnreadableCredential extends Error {
  override readonly name = "UnreadableCredential";
}

/** The workspace's credentials of these names; all of them for null. Throws UnreadableCredential. */
export async function openCredentials(
  workspaceId: string,
  names: readonly string[] | null,
  reader: Pick<PrismaClient, "credential" | "oAuthConnection"> = database(),
): Promise<OpenCredential[]> {
  // A name that the database cannot store does not exist.
  const possible = names?.filter(isStorableText);
  if (possible?.length === 0) return [];
  const rows = await reader.credential.findMany({
    where: { workspaceId, ...(possible === undefined ? {} : { name: { in: possible } }) },
  });
  const ids = rows.flatMap(({ id, type }) => (type === "oauth2" ? [id] : []));
  const connections =
    ids.length === 0
      ? []
      : await reader.oAuthConnection.findMany({ where: { workspaceId, credentialId: { in: ids } } });
  return rows.map((row) => {
    const { id, name, type, allowedHosts } = row;
    const application = open(row);
    const connection = connections.find(({ credentialId }) => credentialId === id);
    const tokens = connection === undefined ? {} : readTokens(row, connection);
    return { id, workspaceId, name, type, data: { ...application, ...tokens }, application, allowedHosts };
  });
}

/** The tokens of a credential. Throws UnreadableCredential. */
export function readTokens(
  credential: Pick<CredentialModel, "id" | "workspaceId" | "name">,
  sealed: Sealed,
): StoredTokens {
  return orUnreadable(credential.name, () => openTokens(credential, sealed));
}

function open(row: CredentialModel): Record<string, string> {
  return orUnreadable(row.name, () => JSON.parse(unseal(row, ownerOf(row.workspaceId, row.id))));
}

function orUnreadable<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new UnreadableCredential(`The credential "${name}" cannot be opened: ${error.message}`);
  }
}
