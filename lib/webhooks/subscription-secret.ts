import { ownerOf, seal, unseal } from "#lib/platform/seal.ts";

/** A subscription's secret as it is stored: sealed, and bound to its row. */
export interface StoredSecret {
  readonly secret: Uint8Array;
  readonly keyVersion: number;
}

export function sealSecret(secret: string, workspaceId: string, subscriptionId: string) {
  const { ciphertext, keyVersion } = seal(secret, ownerOf(workspaceId, subscriptionId));
  return { secret: ciphertext, keyVersion };
}

/** Throws when the row was changed or sealed with an encryption key that is not here. */
export function openSecret(stored: StoredSecret, workspaceId: string, subscriptionId: string): string {
  const { secret, keyVersion } = stored;
  return unseal({ ciphertext: new Uint8Array(secret), keyVersion }, ownerOf(workspaceId, subscriptionId));
}
