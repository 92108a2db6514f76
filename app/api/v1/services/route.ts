import { importService as importServiceEndpoint } from "#lib/contract/service-imports.ts";
import { listServices as listServicesEndpoint } from "#lib/contract/services.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { importService } from "#lib/service-imports/import-service.ts";
import { listServices } from "#lib/service-imports/read-services.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listServicesEndpoint, ({ actor, query }) => listServices(actor, query)),
  POST: route(importServiceEndpoint, ({ actor, body }) => importService(actor, body, outsideWorld().outbound)),
});
