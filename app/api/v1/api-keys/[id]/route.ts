import { revokeApiKey } from "#lib/auth/api-keys.ts";
import { revokeApiKey as revokeApiKeyEndpoint } from "#lib/contract/accounts/api-keys.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  DELETE: route(revokeApiKeyEndpoint, ({ actor, params }) => revokeApiKey(actor, params.id)),
});
