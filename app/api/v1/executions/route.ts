import { deleteExecutions as deleteExecutionsEndpoint } from "#lib/contract/executions/bulk.ts";
import { listExecutions as listExecutionsEndpoint } from "#lib/contract/executions/executions.ts";
import { deleteExecutions } from "#lib/executions/delete-executions.ts";
import { listExecutions } from "#lib/executions/search/list-executions.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listExecutionsEndpoint, ({ actor, query }) => listExecutions(actor, query)),
  DELETE: route(deleteExecutionsEndpoint, ({ actor, body }) => deleteExecutions(actor, body)),
});
