import {
  deleteRow as deleteRowEndpoint,
  readRow as readRowEndpoint,
  updateRow as updateRowEndpoint,
} from "#lib/contract/tables/rows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { readRow } from "#lib/tables/rows/find-rows.ts";
import { deleteRow, updateRow } from "#lib/tables/rows/write-rows.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readRowEndpoint, async ({ actor, params }) => {
    const payload = await readRow(actor, params.id, params.rowId);
    return { payload, headers: { etag: `"${payload.version}"` } };
  }),
  PATCH: route(updateRowEndpoint, async ({ actor, params, body, caller }) => {
    const payload = await updateRow(actor, params.id, params.rowId, body, caller.header("if-match"));
    return { payload, headers: { etag: `"${payload.version}"` } };
  }),
  DELETE: route(deleteRowEndpoint, ({ actor, params, caller }) =>
    deleteRow(actor, params.id, params.rowId, caller.header("if-match")),
  ),
});
