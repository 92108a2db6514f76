import { readIteration as readIterationEndpoint } from "#lib/contract/executions/iterations.ts";
import { iterationText } from "#lib/executions/iterations.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readIterationEndpoint, async ({ actor, params }) => ({
    chunks: iterationText(actor, params.id, params.nodeId, params.iteration),
  })),
});
