import { readNodeExecution as readNodeExecutionEndpoint } from "#lib/contract/executions/executions.ts";
import { nodeExecutionText } from "#lib/executions/execution-text.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readNodeExecutionEndpoint, async ({ actor, params }) => ({
    chunks: nodeExecutionText(actor, params.id, params.nodeId),
  })),
});
