import { readExecutionLogs } from "#lib/contract/executions/logs.ts";
import { logText } from "#lib/executions/read-logs.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readExecutionLogs, async ({ actor, params, query }) => ({
    chunks: logText(actor, params.id, query),
  })),
});
