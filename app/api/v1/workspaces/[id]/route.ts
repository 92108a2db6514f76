import { updateWorkspace as updateWorkspaceEndpoint } from "#lib/contract/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { renameWorkspace } from "#lib/workspaces/rename-workspace.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  PATCH: route(updateWorkspaceEndpoint, ({ actor, params, body }) => renameWorkspace(actor, params.id, body)),
});
