import { updateWorkspace as updateWorkspaceEndpoint } from "#lib/contract/accounts/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { updateWorkspace } from "#lib/workspaces/workspaces.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  PATCH: route(updateWorkspaceEndpoint, ({ actor, params, body }) => updateWorkspace(actor, params.id, body)),
});
