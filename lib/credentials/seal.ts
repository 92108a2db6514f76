import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Which key a ciphertext was made with; a new one is added when the encryption key is rotated. */
export const currentKeyVersion = 1;

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. `owner` binds the text to its row: moved to another, it does not open. */
export function seal(plain: string, owner: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key(), nonce);
  cipher.setAAD(Buffer.from(`${owner}:${currentKeyVersion}`));
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws when the text was changed, belongs to another owner, or was sealed with another key. */
export function unseal(sealed: Uint8Array, owner: string): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", key(), bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(`${owner}:${currentKeyVersion}`));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8");
}

function key(): Buffer {
  return singleton("credential-key", () =>
    Buffer.from(hkdfSync("sha256", env().encryptionKey, "", "millrace credentials", 32)),
  );
}

/** What a credential's ciphertext is bound to. */
export function ownerOf(workspaceId: string, credentialId: string): string {
  return `${workspaceId}:${credentialId}`;
}
