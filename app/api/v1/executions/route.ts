import { listExecutions as listExecutionsEndpoint } from "#lib/contract/executions.ts";
import { listExecutions } from "#lib/executions/list-executions.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listExecutionsEndpoint, ({ actor, query }) => listExecutions(actor, query)),
});
