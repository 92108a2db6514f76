import { listIterations as listIterationsEndpoint } from "#lib/contract/executions/iterations.ts";
import { listIterations } from "#lib/executions/iterations.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listIterationsEndpoint, ({ actor, params, query }) =>
    listIterations(actor, params.id, params.nodeId, query),
  ),
});
