import {
  createCredential as createCredentialEndpoint,
  listCredentials as listCredentialsEndpoint,
} from "#lib/contract/credentials.ts";
import { createCredential, listCredentials } from "#lib/credentials/credentials.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listCredentialsEndpoint, ({ actor, query }) => listCredentials(actor, query)),
  POST: route(createCredentialEndpoint, ({ actor, body }) => createCredential(actor, body)),
});
