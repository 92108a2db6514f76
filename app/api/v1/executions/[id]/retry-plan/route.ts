import { readRetryPlan as readRetryPlanEndpoint } from "#lib/contract/executions/retries.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { planRetry } from "#lib/runtime/start/start-again.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readRetryPlanEndpoint, ({ actor, params, query }) =>
    planRetry(actor, params.id, query.fromNode || null, query.idempotency ?? null),
  ),
});
