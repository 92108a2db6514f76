import { leaveWorkspace as leaveWorkspaceEndpoint } from "#lib/contract/accounts/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { leaveWorkspace } from "#lib/workspaces/members.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(leaveWorkspaceEndpoint, ({ actor, params }) => leaveWorkspace(actor, params.id)),
});
