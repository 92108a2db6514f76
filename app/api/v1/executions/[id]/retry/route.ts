import { retryExecution as retryExecutionEndpoint } from "#lib/contract/executions/retries.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { retryExecution } from "#lib/runtime/start/start-again.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(retryExecutionEndpoint, ({ actor, params, body, caller }) =>
    retryExecution(actor, params.id, body, caller),
  ),
});
