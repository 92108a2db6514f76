import { readNodeExecution as readNodeExecutionEndpoint } from "#lib/contract/executions/executions.ts";
import { readNodeExecution } from "#lib/executions/read-execution.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readNodeExecutionEndpoint, ({ actor, params }) => readNodeExecution(actor, params.id, params.nodeId)),
});
