import {
  createWorkspace as createWorkspaceEndpoint,
  listWorkspaces as listWorkspacesEndpoint,
} from "#lib/contract/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { createWorkspace } from "#lib/workspaces/create-workspace.ts";
import { listWorkspaces } from "#lib/workspaces/list-workspaces.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listWorkspacesEndpoint, ({ actor }) => listWorkspaces(actor)),
  POST: route(createWorkspaceEndpoint, ({ actor, body }) => createWorkspace(actor, body)),
});
