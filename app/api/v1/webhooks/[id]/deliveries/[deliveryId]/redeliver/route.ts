import { redeliver as redeliverEndpoint } from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { deliver } from "#lib/runtime/dispatch.ts";
import { redeliver } from "#lib/webhooks/redeliver.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(redeliverEndpoint, async ({ actor, params }) => {
    const delivery = await redeliver(actor, params.id, params.deliveryId);
    await deliver();
    return delivery;
  }),
});
