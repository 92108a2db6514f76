import { deleteInvitation as deleteInvitationEndpoint } from "#lib/contract/accounts/members.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { deleteInvitation } from "#lib/workspaces/invitations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  DELETE: route(deleteInvitationEndpoint, ({ actor, params }) => deleteInvitation(actor, params.id)),
});
