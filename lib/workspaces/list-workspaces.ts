import type { Role, Tier } from "#lib/access.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { ShownWorkspace } from "#lib/contract/workspaces.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";

/** The workspaces of the person who asks, by name; a key's own. */
export async function listWorkspaces(actor: Actor): Promise<ShownWorkspace[]> {
  const { by, workspaceId } = actor;
  const isMine = by.kind === "key" ? { id: workspaceId } : { members: { some: { userId: by.id } } };
  const rows = await database().workspace.findMany({
    where: isMine,
    include: { members: { where: { userId: by.id } } },
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: 500,
  });
  return rows.map(({ members, ...row }) => ({
    id: row.id,
    name: row.name,
    tier: row.tier as Tier,
    role: (members[0]?.role ?? null) as Role | null,
    current: row.id === workspaceId,
    retentionDays: row.retentionDays,
    timezone: row.timezone,
    createdAt: iso(row.createdAt),
  }));
}

/** One of them, as it is now. */
export async function showWorkspace(actor: Actor, id: string): Promise<ShownWorkspace> {
  const found = (await listWorkspaces({ ...actor, workspaceId: id })).find((workspace) => workspace.id === id);
  if (found === undefined) throw new Error(`The workspace ${id} is gone`);
  return found;
}
