import { readAccount, updateAccount } from "#lib/accounts/account.ts";
import {
  readAccount as readAccountEndpoint,
  updateAccount as updateAccountEndpoint,
} from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readAccountEndpoint, ({ actor }) => readAccount(actor)),
  PATCH: route(updateAccountEndpoint, ({ actor, body }) => updateAccount(actor, body)),
});
