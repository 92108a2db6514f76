import type { Role } from "#lib/access.ts";
import { hashOfToken, isPossibleToken } from "#lib/auth/one-time-token.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";

/** What the holder of an invitation's link is told. */
export interface OpenInvitation {
  readonly workspaceName: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  /** Whether the address has an account: it is then signed in to, not made. */
  readonly hasAccount: boolean;
}

/** The open invitation that this link is for; null for one that was used, withdrawn, has expired or never was. */
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
