import {
  createSubscription as createSubscriptionEndpoint,
  listSubscriptions as listSubscriptionsEndpoint,
} from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { createSubscription, listSubscriptions } from "#lib/webhooks/subscriptions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listSubscriptionsEndpoint, ({ actor, query }) => listSubscriptions(actor, query)),
  POST: route(createSubscriptionEndpoint, ({ actor, body }) =>
    createSubscription(actor, body, outsideWorld().outbound),
  ),
});
