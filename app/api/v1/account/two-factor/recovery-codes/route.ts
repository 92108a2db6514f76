import { renewRecoveryCodes } from "#lib/accounts/two-factor-codes.ts";
import { renewRecoveryCodes as renewRecoveryCodesEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(renewRecoveryCodesEndpoint, ({ actor, body }) => renewRecoveryCodes(actor, body.code)),
});
