import { startTwoFactor } from "#lib/accounts/two-factor.ts";
import { startTwoFactor as startTwoFactorEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(startTwoFactorEndpoint, ({ actor, body }) => startTwoFactor(actor, body.password)),
});
