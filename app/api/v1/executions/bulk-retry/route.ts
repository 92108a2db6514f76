import { bulkRetry as bulkRetryEndpoint } from "#lib/contract/executions/bulk.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { bulkRetry } from "#lib/runtime/start/bulk-retry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(bulkRetryEndpoint, ({ actor, body, caller }) => bulkRetry(actor, body, caller)),
});
