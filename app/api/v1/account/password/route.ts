import { changePassword } from "#lib/accounts/account.ts";
import { changePassword as changePasswordEndpoint } from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(changePasswordEndpoint, ({ actor, body }) => changePassword(actor, body)),
});
