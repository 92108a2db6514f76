import { createTable as createTableEndpoint, listTables as listTablesEndpoint } from "#lib/contract/tables/tables.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { createTable, listTables } from "#lib/tables/tables.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listTablesEndpoint, ({ actor, query }) => listTables(actor, query)),
  POST: route(createTableEndpoint, ({ actor, body }) => createTable(actor, body)),
});
