import { readDelivery as readDeliveryEndpoint } from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { readDelivery } from "#lib/webhooks/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readDeliveryEndpoint, ({ actor, params }) => readDelivery(actor, params.id, params.deliveryId)),
});
