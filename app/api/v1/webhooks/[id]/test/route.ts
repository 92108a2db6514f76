import { testSubscription as testSubscriptionEndpoint } from "#lib/contract/webhooks.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { sendTestEvent } from "#lib/webhooks/send-test-event.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(testSubscriptionEndpoint, ({ actor, params }) =>
    sendTestEvent(actor, params.id, outsideWorld().outbound),
  ),
});
