import { readOperation as readOperationEndpoint } from "#lib/contract/services.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { readOperation } from "#lib/service-imports/read-services.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readOperationEndpoint, ({ actor, params }) => readOperation(actor, params)),
});
