import { endTwoFactor } from "#lib/accounts/two-factor.ts";
import { endTwoFactor as endTwoFactorEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(endTwoFactorEndpoint, ({ actor, body }) => endTwoFactor(actor, body.code)),
});
