import { listSavedFilters, saveFilter } from "#lib/accounts/saved-filters.ts";
import {
  listSavedFilters as listSavedFiltersEndpoint,
  saveFilter as saveFilterEndpoint,
} from "#lib/contract/executions/saved-filters.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listSavedFiltersEndpoint, ({ actor }) => listSavedFilters(actor)),
  POST: route(saveFilterEndpoint, ({ actor, body }) => saveFilter(actor, body)),
});
