import { streamExecution as streamExecutionEndpoint } from "#lib/contract/executions/stream.ts";
import { streamExecution } from "#lib/executions/live/stream-execution.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(streamExecutionEndpoint, async ({ actor, params, query, caller, disconnected }) => {
    const lastEventId = caller.header("last-event-id") ?? query.lastEventId ?? null;
    return streamExecution(actor, params.id, { ...query, lastEventId }, disconnected);
  }),
});
