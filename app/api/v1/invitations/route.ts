import {
  createInvitation as createInvitationEndpoint,
  listInvitations as listInvitationsEndpoint,
} from "#lib/contract/accounts/members.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { createInvitation, listInvitations } from "#lib/workspaces/invitations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listInvitationsEndpoint, ({ actor, query }) => listInvitations(actor, query)),
  POST: route(createInvitationEndpoint, ({ actor, body }) => createInvitation(actor, body)),
});
