import { upsertRow as upsertRowEndpoint } from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { upsertRow } from "#lib/tables/rows/write-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(upsertRowEndpoint, async ({ actor, params, body }) => {
    const { row, isNew } = await upsertRow(actor, params.id, body.key, body.row);
    return { payload: row, status: isNew ? 201 : 200 };
  }),
});
