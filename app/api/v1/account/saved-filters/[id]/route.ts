import { deleteSavedFilter } from "#lib/accounts/saved-filters.ts";
import { deleteSavedFilter as deleteSavedFilterEndpoint } from "#lib/contract/executions/saved-filters.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  DELETE: route(deleteSavedFilterEndpoint, ({ actor, params }) => deleteSavedFilter(actor, params.id)),
});
