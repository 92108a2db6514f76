import { readTimeline as readTimelineEndpoint } from "#lib/contract/executions/timeline.ts";
import { readTimeline } from "#lib/executions/explain/timeline.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readTimelineEndpoint, ({ actor, params }) => readTimeline(actor, params.id)),
});
