import { readStats as readStatsEndpoint } from "#lib/contract/executions/figures.ts";
import { readStats } from "#lib/executions/statistics/read-stats.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readStatsEndpoint, ({ actor, query }) => readStats(actor, query)),
});
