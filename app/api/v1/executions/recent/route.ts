import { readRecent as readRecentEndpoint } from "#lib/contract/executions/figures.ts";
import { readRecent } from "#lib/executions/statistics/read-recent.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readRecentEndpoint, ({ actor, query }) => readRecent(actor, query.flowIds)),
});
