import { exportRows as exportRowsEndpoint, importRows as importRowsEndpoint } from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { exportRows, importRows } from "#lib/tables/rows/csv-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(exportRowsEndpoint, async ({ actor, params }) => {
    const { chunks, name } = await exportRows(actor, params.id);
    const disposition = `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}.csv"`;
    return { chunks, headers: { "content-disposition": disposition } };
  }),
  POST: route(importRowsEndpoint, ({ actor, params, query, body }) => importRows(actor, params.id, body, query.key)),
});
