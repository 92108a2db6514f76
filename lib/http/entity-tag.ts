/** Whether an `If-None-Match` names this `ETag`: in a list, as `*`, and weak or not (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const opaque = opaqueOf(etag);
  return ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || opaqueOf(tag.trim()) === opaque);
}

function opaqueOf(tag: string): string {
  return tag.replace(/^W\//, "");
}
