import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { env } from "#lib/platform/env.ts";

/**
 * What an address that resumes a step carries: which step, and that it was made here. It is the same whenever it is
 * made, so that a flow can send it out before the step waits, and nothing has to be stored for that.
 */
export function resumeToken(executionId: string, stepId: string): string {
  return `${executionId}.${Buffer.from(stepId).toString("base64url")}.${macOf(executionId, stepId)}`;
}

/** The address itself. Whoever has it may resume the step. */
export function resumeUrl(executionId: string, stepId: string): string {
  return `${env().publicUrl}/api/v1/resume/${resumeToken(executionId, stepId)}`;
}

export interface ReadToken {
  readonly executionId: string;
  readonly stepId: string;
  /** True when it was made with the secret that the server has now. */
  readonly isOurs: boolean;
  readonly hash: string;
}

/** Null for text that is no token at all. */
export function readResumeToken(token: string): ReadToken | null {
  const parts = /^(exec_[0-9a-z]{26})\.([\w-]{1,2000})\.([\w-]{43})$/.exec(token);
  const [, executionId, encoded, mac] = parts ?? [];
  if (executionId === undefined || encoded === undefined || mac === undefined) return null;
  const stepId = Buffer.from(encoded, "base64url").toString();
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(executionId, stepId)));
  return { executionId, stepId, isOurs, hash: hashOf(mac) };
}

/** What is stored of a token: enough to know it again, also under another secret. */
export function resumeTokenHash(executionId: string, stepId: string): string {
  return hashOf(macOf(executionId, stepId));
}

let derived: { readonly secret: string; readonly key: Buffer } | undefined;

/** Derived once for a secret: a run may send out thousands of addresses. */
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
