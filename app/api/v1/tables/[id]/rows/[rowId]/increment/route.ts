import { incrementRow as incrementRowEndpoint } from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { incrementRow } from "#lib/tables/rows/write-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(incrementRowEndpoint, async ({ actor, params, body }) => ({
    payload: await incrementRow(actor, params.id, params.rowId, body),
  })),
});
