import { rotateApiKey } from "#lib/auth/api-keys.ts";
import { rotateApiKey as rotateApiKeyEndpoint } from "#lib/contract/accounts/api-keys.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(rotateApiKeyEndpoint, ({ actor, params, body }) => rotateApiKey(actor, params.id, body.graceSeconds)),
});
