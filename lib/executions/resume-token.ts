import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isStorableText } from "#lib/engine/flow.ts";
import { env } from "#lib/platform/env.ts";

/**
 * The token of a resume URL: which step, and proof that it was issued here. It is deterministic, so a flow can send it
 * out before the step waits, and nothing has to be stored.
 */
export function resumeToken(executionId: string, stepId: string): string {
  return `${executionId}.${Buffer.from(stepId).toString("base64url")}.${macOf(executionId, stepId)}`;
}

/** The resume URL itself. Whoever has it may resume the step. */
export function resumeUrl(executionId: string, stepId: string): string {
  return `${env().triggersUrl}/resume/${resumeToken(executionId, stepId)}`;
}

export interface ReadToken {
  readonly executionId: string;
  readonly stepId: string;
  /** True if it was signed with the current secret. */
  readonly isOurs: boolean;
  readonly hash: string;
}

/** Null for text that is not a token. */
export function readResumeToken(token: string): ReadToken | null {
  const parts = /^(exec_[0-9a-z]{26})\.([\w-]{1,2000})\.([\w-]{43})$/.exec(token);
  const [, executionId, encoded, mac] = parts ?? [];
  if (executionId === undefined || encoded === undefined || mac === undefined) return null;
  const stepId = Buffer.from(encoded, "base64url").toString();
  if (!isStorableText(stepId)) return null;
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(executionId, stepId)));
  return { executionId, stepId, isOurs, hash: hashOf(mac) };
}

/** The stored hash of a token, which identifies it even after the secret has changed. */
export function resumeTokenHash(executionId: string, stepId: string): string {
  return hashOf(macOf(executionId, stepId));
}

let derived: { readonly secret: string; readonly key: Buffer } | undefined;

/** Derived once per secret: a run may send out thousands of URLs. */
function signingKey(): Buffer {
  const { authSecret: secret } = env();
  if (derived?.secret !== secret) {
    derived = { secret, key: Buffer.from(hkdfSync("sha256", secret, "", "millrace resume addresses", 32)) };
  }
  return derived.key;
}

function macOf(executionId: string, stepId: string): string {
  return createHmac("sha256", signingKey()).update(`${executionId}\n${stepId}`).digest("base64url");
}

function hashOf(mac: string): string {
  return createHash("sha256").update(mac).digest("base64url");
}
