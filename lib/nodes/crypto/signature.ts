import { createHmac, timingSafeEqual } from "node:crypto";
import { type SigningKey, signWith, verifyWith } from "./key.ts";

/** Hash functions; the last two only for services that require them. */
export const digests = ["sha256", "sha384", "sha512", "sha1", "md5"] as const;
export type Digest = (typeof digests)[number];

/** An HMAC with a shared secret; with a pair's private key, RSA (PKCS #1 v1.5), ECDSA (DER) or Ed25519. */
export async function signBytes(key: SigningKey, digest: Digest, bytes: Buffer): Promise<Buffer> {
  if ("secret" in key) return createHmac(digest, key.secret).update(bytes).digest();
  return await signWith(hashFor(key, digest), bytes, { key: key.pair });
}

/** Verifies a signature of these bytes with this key; an HMAC is compared in constant time. */
export async function isSignatureOf(
  key: SigningKey,
  digest: Digest,
  bytes: Buffer,
  signature: Buffer,
): Promise<boolean> {
  if ("pair" in key) return await verifyWith(hashFor(key, digest), bytes, { key: key.pair }, signature);
  const own = createHmac(digest, key.secret).update(bytes).digest();
  return own.length === signature.length && timingSafeEqual(own, signature);
}

/** Ed25519 and Ed448 have their own hash. */
function hashFor({ pair }: Extract<SigningKey, { pair: unknown }>, digest: Digest): Digest | null {
  return pair.asymmetricKeyType?.startsWith("ed") ? null : digest;
}
