import { endOtherSessions, listSessions } from "#lib/accounts/sessions.ts";
import {
  endOtherSessions as endOtherSessionsEndpoint,
  listSessions as listSessionsEndpoint,
} from "#lib/contract/accounts/account.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listSessionsEndpoint, ({ actor }) => listSessions(actor)),
  DELETE: route(endOtherSessionsEndpoint, ({ actor }) => endOtherSessions(actor)),
});
