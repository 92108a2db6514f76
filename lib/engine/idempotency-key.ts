/**
 * The key by which a receiver detects a repeated step. A node's id may be any text; a header's value may not, so
 * everything but visible ASCII is percent-encoded.
 */
export function idempotencyKey(executionId: string, stepId: string): string {
  return `${executionId}.${stepId.replace(/[^\x21-\x7e]|%/gu, encodeURIComponent)}`;
}
