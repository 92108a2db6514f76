import { iso } from "#lib/platform/clock.ts";
import type { CredentialModel } from "#lib/platform/prisma/models.ts";

/** A credential as the API tells it: everything but what it is for. */
export function showCredential(row: Omit<CredentialModel, "ciphertext">) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    ...(row.allowedHosts.length === 0 ? {} : { allowedHosts: row.allowedHosts }),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
