import { switchWorkspace as switchWorkspaceEndpoint } from "#lib/contract/accounts/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { switchWorkspace } from "#lib/workspaces/workspaces.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(switchWorkspaceEndpoint, ({ actor, params }) => switchWorkspace(actor, params.id)),
});
