import {
  enterFlow as enterFlowEndpoint,
  leaveFlow as leaveFlowEndpoint,
  streamPresence as streamPresenceEndpoint,
} from "#lib/contract/flows/presence.ts";
import { enterFlow, followPresence, leaveFlow } from "#lib/flows/presence/follow-presence.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(streamPresenceEndpoint, async ({ actor, params, disconnected }) =>
    followPresence(actor, params.id, disconnected),
  ),
  PUT: route(enterFlowEndpoint, ({ actor, params, body }) => enterFlow(actor, params.id, body)),
  DELETE: route(leaveFlowEndpoint, ({ actor, params, query }) => leaveFlow(actor, params.id, query.tab)),
});
