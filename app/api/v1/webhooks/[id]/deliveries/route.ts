import { listDeliveries as listDeliveriesEndpoint } from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listDeliveries } from "#lib/webhooks/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listDeliveriesEndpoint, ({ actor, params, query }) => listDeliveries(actor, params.id, query)),
});
