import { AppError } from "#lib/errors.ts";

/** The ETag of a flow: its version, strong. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Throws CONFLICT when the request's `If-Match` is for other versions than this one. */
export function requireMatch(ifMatch: string | null, version: number): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(etagOf(version))) return;
  throw new AppError("CONFLICT", `The flow is at version ${version}, not the one that was changed`, {
    details: { currentVersion: version },
  });
}
