import { hashOfToken, isPossibleToken } from "#lib/auth/one-time-token.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { countEntry } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { InvitationModel } from "#lib/platform/prisma/models.ts";
import {
  type JoinTransaction,
  joinWorkspace,
  type NewUserInput,
  newUser,
  parseNewUser,
  requireFreeAddress,
} from "./new-user.ts";

/**
 * Creates the invited account and adds it to the workspace; returns its email address. Throws VALIDATION_ERROR,
 * NOT_FOUND, RATE_LIMIT_EXCEEDED, CONFLICT.
 */
export async function acceptAsNewUser(token: string, given: NewUserInput, ip: string | null): Promise<string> {
  const { name, password } = parseNewUser(given);
  const { email } = await findInvitation(database(), token);
  await countEntry("invitation", ip);
  await requireFreeAddress(email);
  const passwordHash = await hashPassword(password);
  return await database().$transaction(async (tx) => {
    const invitation = await claimInvitation(tx, token);
    const user = await newUser(tx, { email: invitation.email, name, passwordHash });
    await joinWorkspace(tx, invitation, user.id);
    return user.email;
  });
}

/**
 * Adds the signed-in person to the workspace and switches their session to it. The invitation is for one address:
 * FORBIDDEN for another's. Throws NOT_FOUND.
 */
export async function acceptAsUser(token: string, user: { userId: string; email: string; sessionId: string }) {
  await database().$transaction(async (tx) => {
    const invitation = await claimInvitation(tx, token);
    if (invitation.email !== user.email) {
      throw new AppError("FORBIDDEN", `The invitation is for ${invitation.email}: sign in as ${invitation.email}`);
    }
    await joinWorkspace(tx, invitation, user.userId);
    const { workspaceId } = invitation;
    await tx.session.updateMany({ where: { id: user.sessionId }, data: { workspaceId } });
  });
}

/** Uses up the invitation: of two concurrent uses of a link, only one finds it. */
async function claimInvitation(tx: JoinTransaction, token: string): Promise<InvitationModel> {
  const found = await findInvitation(tx, token);
  if ((await tx.invitation.deleteMany({ where: { ...openBy(token), id: found.id } })).count === 0)
    throw invitationGone();
  return found;
}

async function findInvitation(from: Pick<JoinTransaction, "invitation">, token: string): Promise<InvitationModel> {
  const found = isPossibleToken(token) ? await from.invitation.findFirst({ where: openBy(token) }) : null;
  if (found === null) throw invitationGone();
  return found;
}

function openBy(token: string) {
  return { tokenHash: hashOfToken(token), expiresAt: { gt: timeNow() } };
}

function invitationGone(): AppError {
  return new AppError("NOT_FOUND", "This invitation was used, withdrawn, or has expired: ask for a new one");
}
