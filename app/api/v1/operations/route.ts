import { listOperations as listOperationsEndpoint } from "#lib/contract/services.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listOperations } from "#lib/service-imports/read-services.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listOperationsEndpoint, ({ actor, query }) => listOperations(actor, query)),
});
