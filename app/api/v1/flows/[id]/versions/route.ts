import { listFlowVersions as listFlowVersionsEndpoint } from "#lib/contract/flows/flow-versions.ts";
import { listFlowVersions } from "#lib/flows/flow-versions.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listFlowVersionsEndpoint, ({ actor, params, query }) => listFlowVersions(actor, params.id, query)),
});
