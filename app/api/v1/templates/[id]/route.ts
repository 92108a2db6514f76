import { readTemplate as readTemplateEndpoint } from "#lib/contract/templates.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { readTemplate } from "#lib/templates/read-templates.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readTemplateEndpoint, async ({ params }) => readTemplate(params.id)),
});
