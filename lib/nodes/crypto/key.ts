// Keys from credentials: text for HMAC, 32 bytes for encryption, PEM for signatures; and what they sign.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  type SigningOptions,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { promisify } from "node:util";
import { type NodeCredential, NodeFailure } from "../define.ts";

/** A key that signs or verifies: a shared secret, or a key of a pair. */
export type SigningKey = { readonly secret: Buffer } | { readonly pair: KeyObject };

/** The key to sign with. Throws NodeFailure. */
export function signingKey(credential: NodeCredential): SigningKey {
  const text = keyText(credential, "privateKey");
  if (!isPem(text)) return { secret: Buffer.from(text) };
  return { pair: readPem(credential, () => createPrivateKey(text)) };
}

/** The key to verify with: a shared secret, a public or private key, or a certificate. Throws NodeFailure. */
export function verifyingKey(credential: NodeCredential): SigningKey {
  const text = keyText(credential, "publicKey");
  if (!isPem(text)) return { secret: Buffer.from(text) };
  return { pair: readPem(credential, () => createPublicKey(text)) };
}

/** A shared secret. Refuses a key of a pair: whoever has the public key could sign. Throws NodeFailure. */
export function sharedSecret(credential: NodeCredential): Buffer {
  const text = keyText(credential, "secret");
  if (isPem(text)) throw invalidCredential(credential, "it is one key of a pair, but a shared secret is needed");
  return Buffer.from(text);
}

const encryptionKeyBytes = 32;

/** The 32-byte key to encrypt with, in hexadecimal, base64 or base64url. Throws NodeFailure. */
export function encryptionKey(credential: NodeCredential): Buffer {
  const text = keyText(credential, "secret").trim();
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? "hex" : "base64");
  if (bytes.length === encryptionKeyBytes && /^[\w+/=-]+$/.test(text)) return bytes;
  throw invalidCredential(
    credential,
    "encryption needs 32 random bytes, in hexadecimal or base64: the action random makes them",
  );
}

/**
 * The key's text: a credential's only value, or the named field of one with several. A field for a key of a pair must
 * be PEM: used as a secret, a public key in another form would let anybody sign.
 */
function keyText(credential: NodeCredential, field: "privateKey" | "publicKey" | "secret"): string {
  const { type, data } = credential;
  if (type === "secret") return data.value || missing(credential, field);
  const ofPair = field === "secret" ? undefined : data[field] || data.privateKey;
  if (ofPair && !isPem(ofPair)) throw invalidCredential(credential, "its key is not PEM");
  return ofPair || data.secret || missing(credential, field);
}

function missing(credential: NodeCredential, field: string): never {
  throw invalidCredential(credential, `it has no "${field}"`);
}

type PairKey = SigningOptions & { readonly key: KeyObject };

const signAside = promisify(sign);
const verifyAside = promisify(verify);

/** Signs with a key of a pair, off the main thread. Throws NodeFailure if the key cannot sign in this way. */
export async function signWith(hash: string | null, bytes: Buffer, key: PairKey): Promise<Buffer> {
  return await signAside(hash, bytes, key).catch(refuseKey);
}

/** Verifies a signature of these bytes, off the main thread. */
export async function verifyWith(
  hash: string | null,
  bytes: Buffer,
  key: PairKey,
  signature: Buffer,
): Promise<boolean> {
  return await verifyAside(hash, bytes, key, signature).catch(refuseKey);
}

function refuseKey(cause: unknown): never {
  const message = "The key cannot sign in this way: it is of another kind, or too short for the algorithm";
  throw new NodeFailure("CREDENTIAL_TYPE", message, { field: "credential", cause });
}

function isPem(text: string): boolean {
  return text.includes("-----BEGIN ");
}

function readPem(credential: NodeCredential, read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch {
    throw invalidCredential(credential, "its PEM cannot be read as such a key; one with a passphrase cannot be used");
  }
}

function invalidCredential({ name }: NodeCredential, reason: string): NodeFailure {
  const message = `The credential "${name}" cannot be used here: ${reason}`;
  return new NodeFailure("CREDENTIAL_TYPE", message, { field: "credential" });
}

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
