import { redeliver as redeliverEndpoint } from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { runtime } from "#lib/runtime/runtime.ts";
import { redeliver } from "#lib/webhooks/deliveries.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(redeliverEndpoint, async ({ actor, params }) => {
    const delivery = await redeliver(actor, params.id, params.deliveryId);
    await runtime().deliver();
    return delivery;
  }),
});
