import { connectCredential as connectCredentialEndpoint } from "#lib/contract/credential-connections.ts";
import { connectCredential } from "#lib/credentials/oauth/connect.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(connectCredentialEndpoint, ({ actor, params }) => connectCredential(actor, params.id)),
});
