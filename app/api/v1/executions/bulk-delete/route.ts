import { bulkDelete as bulkDeleteEndpoint } from "#lib/contract/executions/bulk.ts";
import { bulkDelete } from "#lib/executions/bulk.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(bulkDeleteEndpoint, ({ actor, body }) => bulkDelete(actor, body)),
});
