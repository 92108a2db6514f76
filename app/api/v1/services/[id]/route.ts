import {
  deleteService as deleteServiceEndpoint,
  updateService as updateServiceEndpoint,
} from "#lib/contract/service-imports.ts";
import { readService as readServiceEndpoint } from "#lib/contract/services.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { deleteService, updateService } from "#lib/service-imports/import-service.ts";
import { readService } from "#lib/service-imports/read-services.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readServiceEndpoint, ({ actor, params }) => readService(actor, params.id)),
  PUT: route(updateServiceEndpoint, ({ actor, params, query, body }) =>
    updateService(actor, params.id, body, { dryRun: query.dryRun, outbound: outsideWorld().outbound }),
  ),
  DELETE: route(deleteServiceEndpoint, ({ actor, params }) => deleteService(actor, params.id)),
});
