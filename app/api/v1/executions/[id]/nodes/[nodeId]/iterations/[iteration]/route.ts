import { readIteration as readIterationEndpoint } from "#lib/contract/executions/iterations.ts";
import { readIteration } from "#lib/executions/iterations.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readIterationEndpoint, ({ actor, params }) =>
    readIteration(actor, params.id, params.nodeId, params.iteration),
  ),
});
