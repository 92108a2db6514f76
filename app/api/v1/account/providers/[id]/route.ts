import { endProvider } from "#lib/accounts/outside-providers.ts";
import { endProvider as endProviderEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  DELETE: route(endProviderEndpoint, ({ actor, params }) => endProvider(actor, params.id)),
});
