import type { PrismaClient } from "#lib/platform/prisma/client.ts";

/** The type of the workspace's credential of this name; null when there is none. */
export async function credentialType(
  database: Pick<PrismaClient, "credential">,
  workspaceId: string,
  name: string,
): Promise<string | null> {
  const where = { workspaceId_name: { workspaceId, name } };
  const row = await database.credential.findUnique({ where, select: { type: true } });
  return row?.type ?? null;
}
