import { readService as readServiceEndpoint } from "#lib/contract/services.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { readService } from "#lib/service-imports/read-services.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readServiceEndpoint, ({ actor, params }) => readService(actor, params.id)),
});
