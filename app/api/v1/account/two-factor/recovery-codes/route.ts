import { renewRecoveryCodes } from "#lib/accounts/renew-recovery-codes.ts";
import { renewRecoveryCodes as renewRecoveryCodesEndpoint } from "#lib/contract/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(renewRecoveryCodesEndpoint, ({ actor, body }) => renewRecoveryCodes(actor, body.code)),
});
