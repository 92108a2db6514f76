import { hashOfToken, isPossibleToken } from "#lib/auth/one-time-token.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import type { InvitationModel } from "#lib/platform/prisma/models.ts";
import { type JoinTransaction, joinWorkspace } from "./join-workspace.ts";
import { type NewUserInput, newUser, parseNewUser } from "./new-user.ts";

/** Makes the account that was invited and lets it in; gives its e-mail address. Throws VALIDATION_ERROR, NOT_FOUND, CONFLICT. */
export async function acceptAsNewUser(token: string, given: NewUserInput): Promise<string> {
  const { name, password } = parseNewUser(given);
  const passwordHash = await hashPassword(password);
  return await database().$transaction(async (tx) => {
    const invitation = await takeInvitation(tx, token);
    const user = await newUser(tx, { email: invitation.email, name, passwordHash });
    await joinWorkspace(tx, invitation, user.id);
    return user.email;
  });
}

/**
 * Lets the person who is signed in into the workspace, and their session with them. The invitation is for one address:
 * FORBIDDEN for another's. Throws NOT_FOUND.
 */
export async function acceptAsUser(token: string, user: { userId: string; email: string; sessionId: string }) {
  await database().$transaction(async (tx) => {
    const invitation = await takeInvitation(tx, token);
    if (invitation.email !== user.email) {
      throw new AppError("FORBIDDEN", `The invitation is for ${invitation.email}: sign in as ${invitation.email}`);
    }
    await joinWorkspace(tx, invitation, user.userId);
    const { workspaceId } = invitation;
    await tx.session.updateMany({ where: { id: user.sessionId }, data: { workspaceId } });
  });
}

/** Ends the invitation and gives it: of two that use a link at once, one finds it gone. */
async function takeInvitation(tx: JoinTransaction, token: string): Promise<InvitationModel> {
  const gone = new AppError("NOT_FOUND", "This invitation was used, withdrawn, or has expired: ask for a new one");
  if (!isPossibleToken(token)) throw gone;
  const where = { tokenHash: hashOfToken(token), expiresAt: { gt: new Date() } };
  const found = await tx.invitation.findFirst({ where });
  if (found === null || (await tx.invitation.deleteMany({ where: { ...where, id: found.id } })).count === 0) throw gone;
  return found;
}
