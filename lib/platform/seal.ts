import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env.ts";

const nonceBytes = 12;
const tagBytes = 16;

/** A key with its version, which is derived from the key, so that every row says which key decrypts it. */
export interface SealingKey {
  readonly version: number;
  readonly key: Buffer;
}

export interface Sealed {
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  readonly keyVersion: number;
}

/** Text that does not open: changed, moved to another row, or sealed with an unknown key. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

/** AES-256-GCM. `owner` binds the text to its row: moved to another, it does not open. */
export function seal(plain: string, owner: string, { version, key } = sealingKeys()[0]): Sealed {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(owner, version));
  const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return { ciphertext: new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), text])), keyVersion: version };
}

/** Opens what `seal` made, with whichever key sealed it. Throws SealBroken. */
export function unseal(sealed: Sealed, owner: string, keys: readonly SealingKey[] = sealingKeys()): string {
  const { keyVersion } = sealed;
  const found = keys.find(({ version }) => version === keyVersion);
  if (found === undefined) throw new SealBroken("it was sealed with another encryption key");
  const bytes = Buffer.from(sealed.ciphertext);
  try {
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv("aes-256-gcm", found.key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(boundTo(owner, keyVersion));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SealBroken("its stored value was changed or belongs to another row", { cause });
  }
}

/** What a ciphertext is bound to: the row's owner and the row. */
export function ownerOf(holderId: string, rowId: string): string {
  return `${holderId}:${rowId}`;
}

/** The key derived from this secret. */
export function sealingKey(secret: string): SealingKey {
  const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));
  return {
    // 31 bits: a positive database integer.
    version: derive("millrace credentials key version", 4).readUInt32BE() >>> 1,
    key: derive("millrace credentials", 32),
  };
}

let current: readonly [SealingKey, ...SealingKey[]] | undefined;

/** The key that seals, then those that only open. */
export function sealingKeys(): readonly [SealingKey, ...SealingKey[]] {
  const { encryptionKey, encryptionKeyOld } = env();
  current ??= [sealingKey(encryptionKey), ...(encryptionKeyOld === undefined ? [] : [sealingKey(encryptionKeyOld)])];
  return current;
}

function boundTo(owner: string, version: number): Buffer {
  return Buffer.from(`${owner}:${version}`);
}
