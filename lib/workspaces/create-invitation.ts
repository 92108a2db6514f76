import { type Role, roleScopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireOwnScopes } from "#lib/auth/actor.ts";
import { hashOfToken, newOneTimeToken } from "#lib/auth/one-time-token.ts";
import { AppError } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";
import { sendMail } from "#lib/platform/mail.ts";
import { showInvitation } from "./show-invitation.ts";

const daysValid = 7;
const dayMs = 86_400_000;

/**
 * Invites somebody; the answer tells the link, this once. An open invitation of the same address is replaced. Throws
 * CONFLICT for a member, FORBIDDEN for a role with more rights than the actor has.
 */
export async function createInvitation(actor: Actor, { email, role }: { readonly email: string; readonly role: Role }) {
  requireOwnScopes(actor, roleScopes[role]);
  const { workspaceId } = actor;
  const token = newOneTimeToken();
  const now = nowMs();
  const times = { createdAt: new Date(now), expiresAt: new Date(now + daysValid * dayMs) };
  const invitedBy = await nameOf(actor);
  const { row, workspace } = await database().$transaction(async (tx) => {
    const member = await tx.membership.findFirst({ where: { workspaceId, user: { email } } });
    if (member !== null) throw new AppError("CONFLICT", `${email} is a member of this workspace already`);
    const columns = { role, tokenHash: hashOfToken(token), invitedBy, ...times };
    const invited = await tx.invitation.upsert({
      where: { workspaceId_email: { workspaceId, email } },
      create: { id: newId("invitation"), workspaceId, email, ...columns },
      update: columns,
    });
    await recordChange(tx, actor, { action: "invitation.created", id: invited.id, name: email, after: { role } });
    return { row: invited, workspace: await tx.workspace.findUniqueOrThrow({ where: { id: workspaceId } }) };
  });
  const url = `${env().publicUrl}/invitations/${token}`;
  const mailed = await sendMail(invitationMail({ to: email, invitedBy, workspaceName: workspace.name, url }));
  return { ...showInvitation(row), url, mailed };
}

async function nameOf({ by }: Actor): Promise<string> {
  const where = { id: by.id };
  if (by.kind === "user") return (await database().user.findUniqueOrThrow({ where })).name;
  return `the API key ${(await database().apiKey.findUniqueOrThrow({ where })).name}`;
}

interface Words {
  readonly to: string;
  readonly invitedBy: string;
  readonly workspaceName: string;
  readonly url: string;
}

function invitationMail({ to, invitedBy, workspaceName, url }: Words) {
  const lines = [
    `${invitedBy} invites you to the workspace ${workspaceName} on Millrace.`,
    `Accept within ${daysValid} days: ${url}`,
    "The link works once. If you did not expect this, there is nothing to do.",
  ];
  return { to, subject: `Invitation to ${workspaceName}`, text: lines.join("\n\n") };
}
