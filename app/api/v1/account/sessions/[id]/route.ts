import { endSession } from "#lib/accounts/sessions.ts";
import { endSession as endSessionEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  DELETE: route(endSessionEndpoint, ({ actor, params }) => endSession(actor, params.id)),
});
