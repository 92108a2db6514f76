import {
  deleteCredential as deleteCredentialEndpoint,
  readCredential as readCredentialEndpoint,
  updateCredential as updateCredentialEndpoint,
} from "#lib/contract/credentials.ts";
import { deleteCredential, readCredential, updateCredential } from "#lib/credentials/credentials.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readCredentialEndpoint, ({ actor, params }) => readCredential(actor, params.id)),
  PATCH: route(updateCredentialEndpoint, ({ actor, params, body }) => updateCredential(actor, params.id, body)),
  DELETE: route(deleteCredentialEndpoint, ({ actor, params }) => deleteCredential(actor, params.id)),
});
