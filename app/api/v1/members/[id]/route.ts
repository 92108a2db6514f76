import {
  removeMember as removeMemberEndpoint,
  updateMember as updateMemberEndpoint,
} from "#lib/contract/accounts/members.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { removeMember, updateMember } from "#lib/workspaces/members.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  PATCH: route(updateMemberEndpoint, ({ actor, params, body }) => updateMember(actor, params.id, body.role)),
  DELETE: route(removeMemberEndpoint, ({ actor, params }) => removeMember(actor, params.id)),
});
