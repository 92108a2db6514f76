import { bulkCancel as bulkCancelEndpoint } from "#lib/contract/executions/bulk.ts";
import { bulkCancel } from "#lib/executions/bulk.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(bulkCancelEndpoint, ({ actor, body }) => bulkCancel(actor, body)),
});
