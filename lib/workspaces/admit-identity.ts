import { recordChange } from "#lib/audit/record-change.ts";
import { emailAddress } from "#lib/contract/accounts/members.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { type JoinTransaction, joinWorkspace, newUser, newWorkspace } from "./new-user.ts";

/** An identity at GitHub or Google. */
export interface OutsideIdentity {
  readonly provider: "github" | "google";
  /** The account's id there, which never changes. */
  readonly accountId: string;
  /** An address that the provider has verified; null if there is none. */
  readonly verifiedEmail: string | null;
  readonly name: string;
}

/** Why an identity is not admitted. The sign-in page has a message for each. */
export type IdentityRefusal = "NotInvited" | "ConnectFirst" | "ConnectedToOther";

/**
 * The user whom an outside identity signs in. A signed-in user (`currentUserId`) connects it to their account. An
 * unknown one is admitted if an invitation is open for its verified address, or if anyone may sign up. An address that
 * has an account here is not enough: whoever created that account need not own the address.
 */
export async function admitIdentity(
  identity: OutsideIdentity,
  currentUserId: string | null,
): Promise<{ userId: string } | IdentityRefusal> {
  const { provider, accountId } = identity;
  return await database().$transaction(async (tx) => {
    const known = await tx.identity.findUnique({ where: { provider_accountId: { provider, accountId } } });
    if (known !== null) {
      const isOther = currentUserId !== null && known.userId !== currentUserId;
      return isOther ? "ConnectedToOther" : { userId: known.userId };
    }
    const userId = currentUserId ?? (await admitNew(tx, identity));
    if (userId === "NotInvited" || userId === "ConnectFirst") return userId;
    await tx.identity.create({ data: { provider, accountId, userId } });
    return { userId };
  });
}

async function admitNew(tx: JoinTransaction, identity: OutsideIdentity): Promise<string | IdentityRefusal> {
  const parsed = emailAddress.safeParse(identity.verifiedEmail);
  if (!parsed.success) return "NotInvited";
  const email = parsed.data;
  if ((await tx.user.findUnique({ where: { email } })) !== null) return "ConnectFirst";
  const invitations = await tx.invitation.findMany({ where: { email, expiresAt: { gt: timeNow() } } });
  if (invitations.length === 0 && env().signUp !== "open") return "NotInvited";
  const name = identity.name.trim().slice(0, 255).toWellFormed().replaceAll("\0", "") || email;
  const user = await newUser(tx, { email, name, passwordHash: null });
  for (const invitation of invitations) {
    await joinWorkspace(tx, invitation, user.id);
    await tx.invitation.deleteMany({ where: { id: invitation.id } });
  }
  if (invitations.length === 0) {
    const workspaceName = `${name.slice(0, 200)}'s workspace`;
    const workspaceId = await newWorkspace(tx, workspaceName, env().defaultTier, user.id);
    const actor = { workspaceId, by: { kind: "user", id: user.id } } as const;
    await recordChange(tx, actor, { action: "workspace.created", id: workspaceId, name: workspaceName });
  }
  return user.id;
}
