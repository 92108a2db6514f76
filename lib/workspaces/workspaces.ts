import { type Role, type Tier, tierQuotas } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { readQuota } from "#lib/auth/quota.ts";
import type { ShownUsage, ShownWorkspace, WorkspaceChanges } from "#lib/contract/accounts/workspaces.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { isId } from "#lib/platform/ids.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import type { WorkspaceModel, WorkspaceWhereInput } from "#lib/platform/prisma/models.ts";
import { newWorkspace } from "./new-user.ts";

/** The caller's workspaces, by name; a key's only one. */
export async function listWorkspaces(actor: Actor): Promise<ShownWorkspace[]> {
  const { by, workspaceId } = actor;
  return await findWorkspaces(
    actor,
    by.kind === "key" ? { id: workspaceId } : { members: { some: { userId: by.id } } },
  );
}

async function findWorkspaces({ by, workspaceId }: Actor, isMine: WorkspaceWhereInput): Promise<ShownWorkspace[]> {
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

/** One of them, in its current state. */
async function showWorkspace(actor: Actor, id: string): Promise<ShownWorkspace> {
  const [found] = await findWorkspaces({ ...actor, workspaceId: id }, { id });
  if (found === undefined) throw new Error(`The workspace ${id} is gone`);
  return found;
}

/** The maximum number of workspaces that one person owns. */
const ownedMax = 1_000;

/**
 * Creates a workspace owned by the actor, and switches to it. Throws FORBIDDEN (`details.required`: owner),
 * VALIDATION_ERROR if the actor owns too many.
 */
export async function createWorkspace(actor: Actor, { name }: { readonly name: string }) {
  const { id: userId, sessionId } = requireUser(actor);
  const id = await database().$transaction(async (tx) => {
    // Serializes a person's workspaces, so that each counts those before it.
    await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${userId} FOR NO KEY UPDATE`;
    const owned = await tx.membership.count({ where: { userId, role: "owner" } });
    if (owned === 0 && env().signUp !== "open") {
      throw new AppError("FORBIDDEN", "Only owners of a workspace can create new ones here", {
        details: { required: "owner" },
      });
    }
    if (owned >= ownedMax) {
      const most = ownedMax.toLocaleString("en-US");
      throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
        details: { name: `one person may own at most ${most} workspaces: make somebody else the owner of one first` },
      });
    }
    const made = await newWorkspace(tx, name, env().defaultTier, userId);
    await recordChange(tx, { ...actor, workspaceId: made }, { action: "workspace.created", id: made, name });
    await enterWorkspace(tx, { userId, sessionId, workspaceId: made });
    return made;
  });
  return await showWorkspace(actor, id);
}

/** Changes the given fields of the actor's current workspace. Throws NOT_FOUND for any other. */
export async function updateWorkspace(actor: Actor, id: string, changes: WorkspaceChanges) {
  if (id !== actor.workspaceId) throw notFound("Workspace");
  const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await database().$transaction(async (tx) => {
    const before = await tx.workspace.findUniqueOrThrow({ where: { id } });
    const after = await tx.workspace.update({ where: { id }, data });
    const action = before.name === after.name ? "workspace.updated" : "workspace.renamed";
    await recordChange(tx, actor, {
      action,
      id,
      name: after.name,
      before: auditedFields(before),
      after: auditedFields(after),
    });
  });
  return await showWorkspace(actor, id);
}

function auditedFields({ name, retentionDays, timezone }: WorkspaceModel) {
  return { name, retentionDays, timezone };
}

/** Switches the actor's session to another of their workspaces. Throws NOT_FOUND. */
export async function switchWorkspace(actor: Actor, workspaceId: string) {
  const { id: userId, sessionId } = requireUser(actor);
  if (!isId("workspace", workspaceId)) throw notFound("Workspace");
  const where = { workspaceId_userId: { workspaceId, userId } };
  if ((await database().membership.findUnique({ where })) === null) throw notFound("Workspace");
  await database().$transaction((tx) => enterWorkspace(tx, { userId, sessionId, workspaceId }));
  return await showWorkspace(actor, workspaceId);
}

interface Entering {
  readonly userId: string;
  readonly sessionId: string;
  readonly workspaceId: string;
}

/** Applies from this session's next request on, and to later sessions. */
async function enterWorkspace(
  tx: Pick<PrismaClient, "session" | "user">,
  { userId, sessionId, workspaceId }: Entering,
): Promise<void> {
  await tx.session.updateMany({ where: { id: sessionId, userId }, data: { workspaceId } });
  await tx.user.update({ where: { id: userId }, data: { lastWorkspaceId: workspaceId } });
}

/** The workspace's use of its quota, and how long the service keeps runs. */
export async function readUsage({ workspaceId, tier }: Actor): Promise<ShownUsage> {
  const { used, resetAt } = await readQuota(workspaceId);
  const limit = env().rateLimit ? tierQuotas[tier] : null;
  return { tier, requests: { used, limit, resetAt: iso(resetAt) }, retentionDays: env().retentionDays ?? null };
}
