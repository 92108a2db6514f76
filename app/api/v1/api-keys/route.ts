import { createApiKey, listApiKeys } from "#lib/auth/api-keys.ts";
import {
  createApiKey as createApiKeyEndpoint,
  listApiKeys as listApiKeysEndpoint,
} from "#lib/contract/accounts/api-keys.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listApiKeysEndpoint, ({ actor, query }) => listApiKeys(actor, query)),
  POST: route(createApiKeyEndpoint, ({ actor, body }) => createApiKey(actor, body)),
});
