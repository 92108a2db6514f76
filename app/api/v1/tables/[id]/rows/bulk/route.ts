import { writeRows as writeRowsEndpoint } from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { writeRows } from "#lib/tables/rows/write-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(writeRowsEndpoint, ({ actor, params, body }) => writeRows(actor, params.id, body)),
});
