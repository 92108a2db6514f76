import { cancelExecution as cancelExecutionEndpoint } from "#lib/contract/executions/executions.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(cancelExecutionEndpoint, ({ actor, params, body }) =>
    cancelExecution(actor, params.id, body.reason ?? null),
  ),
});
