import { listCredentialUses as listCredentialUsesEndpoint } from "#lib/contract/credentials.ts";
import { listCredentialUses } from "#lib/flows/list-credential-uses.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listCredentialUsesEndpoint, ({ actor, params }) => listCredentialUses(actor, params.id)),
});
