import { AppError } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";

interface Current {
  readonly version: number;
  readonly updatedAt: Date;
}

/** The ETag of a flow: its version, strong. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Throws CONFLICT when the request's `If-Match` is for other states of the flow than this one: other versions, or, where
 * a tag goes on with a blank and the `updatedAt` that was read, other times. Name, tags and settings change without a
 * new version; who is not to lose those either sends both.
 */
export function requireMatch(ifMatch: string | null, { version, updatedAt }: Current): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  const exact = `"${version} ${iso(updatedAt)}"`;
  if (tags.includes("*") || tags.includes(etagOf(version)) || tags.includes(exact)) return;
  throw new AppError("CONFLICT", `The flow is at version ${version}, not the one that was changed`, {
    details: { currentVersion: version },
  });
}
