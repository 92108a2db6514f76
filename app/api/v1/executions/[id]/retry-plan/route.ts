import { readRetryPlan as readRetryPlanEndpoint } from "#lib/contract/executions.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { planRetry } from "#lib/runtime/plan-retry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readRetryPlanEndpoint, ({ actor, params, query }) => planRetry(actor, params.id, query.fromNode || null)),
});
