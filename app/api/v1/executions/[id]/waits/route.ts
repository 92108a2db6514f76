import { listWaits as listWaitsEndpoint } from "#lib/contract/executions/waits.ts";
import { listWaits } from "#lib/executions/waiting/list-waits.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listWaitsEndpoint, ({ actor, params }) => listWaits(actor, params.id)),
});
