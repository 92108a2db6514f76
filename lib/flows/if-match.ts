import { AppError } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";

interface Current {
  readonly version: number;
  readonly updatedAt: Date;
}

/** The ETag of a flow: the version of its content. Changes of name, tags, status or settings do not change it. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Throws CONFLICT if the request's `If-Match` names another state of the flow: another version or, if the tag holds a
 * version, a space and an `updatedAt`, another time. Callers that must not overwrite a change of name, tags or settings
 * send both.
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

/** The same for a working copy; `revision` is 0 if there is none. */
export function requireRevision(ifMatch: string | null, revision: number): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes(etagOf(revision)) || (tags.includes("*") && revision > 0)) return;
  const current = revision === 0 ? "The flow has no working copy" : `The working copy is at revision ${revision}`;
  throw new AppError("CONFLICT", `${current}, not the one that was changed`, {
    details: { currentRevision: revision },
  });
}
