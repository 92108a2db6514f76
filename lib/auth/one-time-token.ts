import { createHash, randomBytes } from "node:crypto";

/** A token for a link: 256 random bits. Only its hash is stored. */
export function newOneTimeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** A token's stored hash. With its random bits it need not be slow. */
export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** False for text that cannot be a token, which saves the look-up. */
export function isPossibleToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
