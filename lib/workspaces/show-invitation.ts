import type { Role } from "#lib/access.ts";
import type { ShownInvitation } from "#lib/contract/members.ts";
import { iso } from "#lib/platform/clock.ts";
import type { InvitationModel } from "#lib/platform/prisma/models.ts";

/** An invitation as the API tells of it: without the link, of which only a hash is stored. */
export function showInvitation(row: InvitationModel): ShownInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Role,
    invitedBy: row.invitedBy,
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
  };
}
