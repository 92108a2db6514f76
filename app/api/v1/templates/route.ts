import { listTemplates as listTemplatesEndpoint } from "#lib/contract/templates.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { listTemplates } from "#lib/templates/read-templates.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listTemplatesEndpoint, async ({ query }) => listTemplates(query)),
});
