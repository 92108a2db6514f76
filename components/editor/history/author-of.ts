interface Authored {
  readonly createdBy: string | null;
  readonly createdByName?: string | null | undefined;
}

/** Who made a version, in words; names of those who have left the workspace are not told any more. */
export function authorOf({ createdBy, createdByName }: Authored): string | null {
  if (createdByName != null) return createdByName;
  if (createdBy === null) return null;
  return createdBy.startsWith("key_") ? "an API key that is gone" : "a former member";
}
