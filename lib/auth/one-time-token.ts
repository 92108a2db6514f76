import { createHash, randomBytes } from "node:crypto";

/** A token for a link: 256 random bits. Only its hash is stored. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a token. Its random bits make a slow hash needless. */
export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** False for text that cannot be a token, so that no look-up is spent on it. */
export function isPossibleToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
