import { testCredential as testCredentialEndpoint } from "#lib/contract/credentials.ts";
import { testCredential } from "#lib/credentials/test-credential.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(testCredentialEndpoint, ({ actor, params, body }) =>
    testCredential(actor, params.id, body.url ?? null, outsideWorld().outbound),
  ),
});
