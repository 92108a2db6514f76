import { countRows as countRowsEndpoint } from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { countRows } from "#lib/tables/rows/find-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(countRowsEndpoint, ({ actor, params, query }) => countRows(actor, params.id, query.where)),
});
