import { type Role, roleScopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireOwnScopes } from "#lib/auth/actor.ts";
import { hashOfToken, isPossibleToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import type { ShownInvitation } from "#lib/contract/accounts/members.ts";
import type { PageAsked } from "#lib/contract/query.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, nowMs, timeNow } from "#lib/platform/clock.ts";
import { newestFirst, pageOf } from "#lib/platform/database/page.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import { sendMail } from "#lib/platform/mail.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import type { InvitationModel } from "#lib/platform/prisma/models.ts";

/** A page of the workspace's open invitations, newest first. */
export async function listInvitations({ workspaceId }: Actor, asked: PageAsked) {
  const where = { workspaceId };
  const { invitation } = database();
  return await pageOf(asked, invitation.count({ where }), async (part) => {
    const rows = await invitation.findMany({ where, ...newestFirst, ...part });
    return rows.map(showInvitation);
  });
}

/** An invitation as the API shows it: without the link, of which only a hash is stored. */
function showInvitation(row: InvitationModel): ShownInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Role,
    invitedBy: row.invitedBy,
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
  };
}

const daysValid = 7;
const dayMs = 86_400_000;

/** Mails per hour: beyond these, the link has to be passed on by other means. */
const mailsMax = {
  /** From one workspace to one address. */
  same: 3,
  ofWorkspace: 100,
  /** From all workspaces together. */
  toAddress: 10,
} as const;

/**
 * Invites a person; the answer contains the link, once. Replaces an open invitation of the same address. Throws
 * CONFLICT for a member, FORBIDDEN for a role with more rights than the actor has.
 */
export async function createInvitation(actor: Actor, { email, role }: { readonly email: string; readonly role: Role }) {
  requireOwnScopes(actor, roleScopes[role]);
  const { workspaceId } = actor;
  const token = newOneTimeToken();
  const now = nowMs();
  const times = { createdAt: new Date(now), expiresAt: new Date(now + daysValid * dayMs) };
  const invitedBy = await nameOf(actor);
  const { row, workspace, mayMail } = await database().$transaction(async (tx) => {
    // Serializes invitations, so that each counts those before it.
    await tx.$queryRaw`SELECT id FROM workspace WHERE id = ${workspaceId} FOR NO KEY UPDATE`;
    const member = await tx.membership.findFirst({ where: { workspaceId, user: { email } } });
    if (member !== null) throw new AppError("CONFLICT", `${email} is already a member of this workspace`);
    const columns = { role, tokenHash: hashOfToken(token), invitedBy, ...times };
    const invited = await tx.invitation.upsert({
      where: { workspaceId_email: { workspaceId, email } },
      create: { id: newId("invitation"), workspaceId, email, ...columns },
      update: columns,
    });
    const mayMail = await hasMailsLeft(tx, workspaceId, email);
    await recordChange(tx, actor, { action: "invitation.created", id: invited.id, name: email, after: { role } });
    const workspace = await tx.workspace.findUniqueOrThrow({ where: { id: workspaceId } });
    return { row: invited, workspace, mayMail };
  });
  const url = `${env().publicUrl}/invitations/${token}`;
  const mail = invitationMail({ to: email, invitedBy, workspaceName: workspace.name, url });
  const mailed = mayMail && (await sendMail(mail));
  return { ...showInvitation(row), url, mailed };
}

/** Whether another invitation may be mailed, by those of the last hour. */
async function hasMailsLeft(
  tx: Pick<PrismaClient, "$queryRaw" | "$executeRaw">,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  // Serializes invitations of the address by other workspaces.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`millrace.invitation ${email}`}, 0))`;
  const [sent] = await tx.$queryRaw<Record<keyof typeof mailsMax, number>[]>`
    SELECT count(*)::int AS "ofWorkspace", (count(*) FILTER (WHERE subject_name = ${email}))::int AS same,
      (SELECT count(*)::int FROM audit_entry WHERE subject_name = ${email}
        AND at > now() - interval '1 hour' AND action = 'invitation.created') AS "toAddress"
    FROM audit_entry
    WHERE workspace_id = ${workspaceId} AND at > now() - interval '1 hour' AND action = 'invitation.created'`;
  const { ofWorkspace = 0, same = 0, toAddress = 0 } = sent ?? {};
  return ofWorkspace < mailsMax.ofWorkspace && same < mailsMax.same && toAddress < mailsMax.toAddress;
}

async function nameOf({ by }: Actor): Promise<string> {
  const where = { id: by.id };
  if (by.kind === "user") return (await database().user.findUniqueOrThrow({ where })).name;
  return `the API key ${(await database().apiKey.findUniqueOrThrow({ where })).name}`;
}

interface MailTexts {
  readonly to: string;
  readonly invitedBy: string;
  readonly workspaceName: string;
  readonly url: string;
}

function invitationMail({ to, invitedBy, workspaceName, url }: MailTexts) {
  const lines = [
    `${invitedBy} invited you to the workspace ${workspaceName} on Millrace.`,
    `Accept within ${daysValid} days: ${url}`,
    "The link works once. If you did not expect this, ignore it.",
  ];
  return { to, subject: `Invitation to ${workspaceName}`, text: lines.join("\n\n") };
}

/** What an invitation's link shows. */
interface OpenInvitation {
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  /** Whether the address already has an account. */
  readonly hasAccount: boolean;
}

/** The open invitation behind this link; null if it was used, withdrawn, expired or never existed. */
export async function findInvitation(token: string): Promise<OpenInvitation | null> {
  if (!isPossibleToken(token)) return null;
  const row = await database().invitation.findFirst({
    where: { tokenHash: hashOfToken(token), expiresAt: { gt: timeNow() } },
    include: { workspace: true },
  });
  if (row === null) return null;
  const { email, role, invitedBy, workspace } = row;
  const hasAccount = (await database().user.count({ where: { email } })) > 0;
  return { workspaceName: workspace.name, email, role: role as Role, invitedBy, hasAccount };
}

/** Withdraws an invitation: its link stops working. Throws NOT_FOUND. */
export async function deleteInvitation(actor: Actor, id: string): Promise<null> {
  if (!isId("invitation", id)) throw notFound("Invitation");
  await database().$transaction(async (tx) => {
    const where = { id, workspaceId: actor.workspaceId };
    const found = await tx.invitation.findFirst({ where });
    const { count } = await tx.invitation.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Invitation");
    await recordChange(tx, actor, { action: "invitation.withdrawn", id, name: found.email });
  });
  return null;
}
