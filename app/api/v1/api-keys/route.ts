import { createApiKey } from "#lib/auth/create-api-key.ts";
import { listApiKeys } from "#lib/auth/list-api-keys.ts";
import { createApiKey as createApiKeyEndpoint, listApiKeys as listApiKeysEndpoint } from "#lib/contract/api-keys.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listApiKeysEndpoint, ({ actor, query }) => listApiKeys(actor, query)),
  POST: route(createApiKeyEndpoint, ({ actor, body }) => createApiKey(actor, body)),
});
