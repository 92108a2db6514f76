import type { Role } from "#lib/access.ts";
import type { ShownMember } from "#lib/contract/members.ts";
import { iso } from "#lib/platform/clock.ts";

/** What is read of a member. */
export const memberParts = {
  user: { select: { id: true, name: true, email: true, twoFactor: { select: { confirmedAt: true } } } },
} as const;

interface MemberRow {
  readonly role: string;
  readonly createdAt: Date;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly twoFactor: { readonly confirmedAt: Date | null } | null;
  };
}

/** A member as the API tells of them. */
export function showMember({ role, createdAt, user }: MemberRow): ShownMember {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    role: role as Role,
    twoFactor: (user.twoFactor?.confirmedAt ?? null) !== null,
    joinedAt: iso(createdAt),
  };
}
