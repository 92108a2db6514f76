import {
  createWorkspace as createWorkspaceEndpoint,
  listWorkspaces as listWorkspacesEndpoint,
} from "#lib/contract/accounts/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { createWorkspace, listWorkspaces } from "#lib/workspaces/workspaces.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listWorkspacesEndpoint, ({ actor }) => listWorkspaces(actor)),
  POST: route(createWorkspaceEndpoint, ({ actor, body }) => createWorkspace(actor, body)),
});
