import { readFlowVersion as readFlowVersionEndpoint } from "#lib/contract/flow-versions.ts";
import { readFlowVersion } from "#lib/flows/flow-versions.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readFlowVersionEndpoint, ({ actor, params }) => readFlowVersion(actor, params.id, params.version)),
});
