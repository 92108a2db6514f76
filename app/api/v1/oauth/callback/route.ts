import { oauthCallback } from "#lib/contract/credential-connections.ts";
import { finishConnection } from "#lib/credentials/oauth/connect.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(oauthCallback, async ({ actor, query }) => ({
    payload: null,
    headers: { location: await finishConnection(actor, outsideWorld().outbound, query) },
  })),
});
