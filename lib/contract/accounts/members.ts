import { z } from "zod";
import { roles } from "#lib/access.ts";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { oneOf, paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

const tag = "Members";

export const member = z
  .object({
    id: z.string().describe("The person's id"),
    name: z.string().describe("Its name"),
    email: z.string().describe("Their email address"),
    role: z.enum(roles).describe("What the member may do"),
    twoFactor: z.boolean().describe("Whether sign-in requires a code"),
    joinedAt: timestamp.describe("When they became a member"),
  })
  .meta({ id: "Member" });

const role = oneOf("role", roles);

export const listMembers = endpoint({
  method: "GET",
  path: "/members",
  tag,
  summary: "List members",
  description: "The workspace's members, in the order in which they joined.",
  scope: "members:read",
  query: z.object(paging),
  shape: "list",
  answer: member,
});

export const updateMember = endpoint({
  method: "PATCH",
  path: "/members/:id",
  tag,
  summary: "Change a member's role",
  description:
    "Takes effect with the next request. The last owner cannot be demoted: `INVALID_STATUS`. Nobody can grant or revoke rights that they do not have.",
  scope: "members:write",
  params: idParams("member"),
  body: z.object({ role: role.describe("What the member may do") }),
  bodyRequired: true,
  answer: member,
});

export const removeMember = endpoint({
  method: "DELETE",
  path: "/members/:id",
  tag,
  summary: "Remove a member",
  description: "They lose access with their next request; what they created stays. The last owner cannot be removed.",
  scope: "members:write",
  params: idParams("member"),
  shape: "empty",
});

export const invitation = z
  .object({
    id: z.string().describe("Its id"),
    email: z.string().describe("Their email address"),
    role: z.enum(roles).describe("What the member may do"),
    invitedBy: z.string().describe("The inviter's name"),
    createdAt: timestamp.describe("When it was created"),
    expiresAt: timestamp.describe("When it expires; null for never"),
  })
  .meta({ id: "Invitation" });

/** The link, shown once; and whether it was also mailed. */
export const invitationWithLink = invitation.extend({
  url: z.string().describe("The invitation's link, shown only once"),
  mailed: z.boolean().describe("Whether the invitation was emailed"),
});

export const emailAddress = z
  .string("Enter an email address, such as ada@example.com")
  .trim()
  .max(254, "Enter an email address, such as ada@example.com")
  .toLowerCase()
  .pipe(z.email("Enter an email address, such as ada@example.com"));

export const listInvitations = endpoint({
  method: "GET",
  path: "/invitations",
  tag,
  summary: "List open invitations",
  description: "Invitations that were neither accepted nor withdrawn, newest first; including expired ones.",
  scope: "members:read",
  query: z.object(paging),
  shape: "list",
  answer: invitation,
});

export const createInvitation = endpoint({
  method: "POST",
  path: "/invitations",
  tag,
  summary: "Invite a member",
  description:
    "The answer contains the link, shown only once; it is also emailed if mail is set up, at most three times an hour to one address and 100 times an hour in all; `mailed` tells. It works once, within 7 days. Inviting the same address again replaces the previous link. `CONFLICT` for a member.",
  scope: "members:write",
  body: z.object({
    email: emailAddress.describe("Their email address"),
    role: role.describe("What the member may do"),
  }),
  bodyRequired: true,
  status: 201,
  answer: invitationWithLink,
});

export const deleteInvitation = endpoint({
  method: "DELETE",
  path: "/invitations/:id",
  tag,
  summary: "Withdraw an invitation",
  description: "Its link stops working.",
  scope: "members:write",
  params: idParams("invitation"),
  shape: "empty",
});

export type ShownMember = z.input<typeof member>;
export type ShownInvitation = z.input<typeof invitation>;
