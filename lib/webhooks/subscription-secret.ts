import { currentKeyVersion, ownerOf, seal, unseal } from "#lib/credentials/seal.ts";

/** The secret as it is stored: bound to its row. */
export function sealSecret(secret: string, workspaceId: string, subscriptionId: string) {
  const sealed = seal(secret, ownerOf(workspaceId, subscriptionId));
  return { secret: new Uint8Array(sealed), keyVersion: currentKeyVersion };
}

/** Throws when the row was sealed with another encryption key. */
export function openSecret(sealed: Uint8Array, workspaceId: string, subscriptionId: string): string {
  return unseal(sealed, ownerOf(workspaceId, subscriptionId));
}
