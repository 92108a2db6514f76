import { readOverview as readOverviewEndpoint } from "#lib/contract/execution-overview.ts";
import { readOverview } from "#lib/executions/read-overview.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readOverviewEndpoint, ({ actor, query }) => readOverview(actor, query)),
});
