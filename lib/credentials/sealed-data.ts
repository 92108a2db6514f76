import { ownerOf, type Sealed, seal } from "#lib/platform/seal.ts";

/** The columns that hold a credential's data, bound to its row. Every value is kept as text. */
export function sealedData(
  workspaceId: string,
  id: string,
  data: Readonly<Record<string, string | number | undefined>>,
): Sealed {
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(given.map(([field, value]) => [field, String(value)]));
  return seal(JSON.stringify(texts), ownerOf(workspaceId, id));
}
