import { sendEvent as sendEventEndpoint } from "#lib/contract/executions/events.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { sendEvent } from "#lib/runtime/triggers/wake-on-events.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(sendEventEndpoint, ({ actor, body }) => sendEvent(actor, body)),
});
