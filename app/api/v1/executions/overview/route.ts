import { readOverview as readOverviewEndpoint } from "#lib/contract/executions/figures.ts";
import { readOverview } from "#lib/executions/statistics/read-overview.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readOverviewEndpoint, ({ actor, query }) => readOverview(actor, query)),
});
