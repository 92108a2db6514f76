import {
  createSubscription as createSubscriptionEndpoint,
  listSubscriptions as listSubscriptionsEndpoint,
} from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outside } from "#lib/runtime/outside.ts";
import { createSubscription } from "#lib/webhooks/create-subscription.ts";
import { listSubscriptions } from "#lib/webhooks/list-subscriptions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listSubscriptionsEndpoint, ({ actor, query }) => listSubscriptions(actor, query)),
  POST: route(createSubscriptionEndpoint, ({ actor, body }) => createSubscription(actor, body, outside().outbound)),
});
