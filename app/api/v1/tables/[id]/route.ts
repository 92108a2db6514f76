import {
  deleteTable as deleteTableEndpoint,
  readTable as readTableEndpoint,
  updateTable as updateTableEndpoint,
} from "#lib/contract/tables/tables.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { deleteTable, readTable } from "#lib/tables/tables.ts";
import { updateTable } from "#lib/tables/update-table.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readTableEndpoint, ({ actor, params }) => readTable(actor, params.id)),
  PATCH: route(updateTableEndpoint, ({ actor, params, body }) => updateTable(actor, params.id, body)),
  DELETE: route(deleteTableEndpoint, ({ actor, params }) => deleteTable(actor, params.id)),
});
