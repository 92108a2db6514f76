import { createHash, randomInt } from "node:crypto";

const codeCount = 10;
/** Without letters and digits that look alike. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const groupCharacters = 5;

/** Ten new codes, `xxxxx-xxxxx`: 49 random bits each, which the throttle makes plenty. */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: groupCharacters }, () => alphabet[randomInt(alphabet.length)]).join("");
  return Array.from({ length: codeCount }, () => `${group()}-${group()}`);
}

/** What is stored of a code; case, spaces and the dash do not matter. Bound to its user. */
export function hashOfRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest("hex");
}
