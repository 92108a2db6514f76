import { listMembers as listMembersEndpoint } from "#lib/contract/accounts/members.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listMembers } from "#lib/workspaces/members.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listMembersEndpoint, ({ actor, query }) => listMembers(actor, query)),
});
