import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** Recognizable in a leak, by people and by scanners. */
const keyPrefix = "mill_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomCharacters = 32;
const checksumCharacters = 6;
/** The form of a possible key, including an operator's own (BOOTSTRAP_API_KEY). */
const possibleKey = /^[\x21-\x7e]{32,200}$/;

/** A new key: prefix, 190 random bits in base 62, and their CRC-32, like GitHub's tokens. */
export function newApiKey(): string {
  let secret = "";
  // Bytes above 247 would favour the first letters of the alphabet.
  while (secret.length < randomCharacters) {
    for (const byte of randomBytes(randomCharacters)) {
      if (byte < 248 && secret.length < randomCharacters) secret += alphabet[byte % 62];
    }
  }
  return `${keyPrefix}${secret}_${checksum(secret)}`;
}

/** False for text that cannot be a key, which saves the look-up. */
export function isPossibleKey(text: string): boolean {
  return possibleKey.test(text) && (!text.startsWith(keyPrefix) || isMadeKey(text));
}

/** True for a key issued by this service, by its prefix and its checksum. */
export function isMadeKey(text: string): boolean {
  if (!text.startsWith(keyPrefix)) return false;
  const [secret = "", sum] = text.slice(keyPrefix.length).split("_");
  return sum === checksum(secret);
}

/** A key's stored hash. With 190 random bits it need not be slow. */
export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** What people see of a key after it was shown once. */
export function shownPrefix(key: string): string {
  return key.startsWith(keyPrefix) ? key.slice(0, keyPrefix.length + 4) : key.slice(0, 4);
}

function checksum(secret: string): string {
  let left = crc32(secret);
  let text = "";
  for (let index = 0; index < checksumCharacters; index += 1) {
    text = alphabet[left % 62] + text;
    left = Math.floor(left / 62);
  }
  return text;
}
