import { confirmTwoFactor } from "#lib/accounts/two-factor.ts";
import { confirmTwoFactor as confirmTwoFactorEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(confirmTwoFactorEndpoint, ({ actor, body }) => confirmTwoFactor(actor, body.code)),
});
