import { listServices as listServicesEndpoint } from "#lib/contract/services.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listServices } from "#lib/service-imports/read-services.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listServicesEndpoint, ({ actor, query }) => listServices(actor, query)),
});
