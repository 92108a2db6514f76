import { listServiceUses as listServiceUsesEndpoint } from "#lib/contract/service-imports.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listServiceUses } from "#lib/service-imports/calling-flows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listServiceUsesEndpoint, ({ actor, params }) => listServiceUses(actor, params.id)),
});
