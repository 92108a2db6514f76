import { insertRow as insertRowEndpoint, listRows as listRowsEndpoint } from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listRows } from "#lib/tables/rows/find-rows.ts";
import { insertRow } from "#lib/tables/rows/write-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listRowsEndpoint, ({ actor, params, query }) => listRows(actor, params.id, query)),
  POST: route(insertRowEndpoint, async ({ actor, params, body }) => ({
    payload: await insertRow(actor, params.id, body),
  })),
});
