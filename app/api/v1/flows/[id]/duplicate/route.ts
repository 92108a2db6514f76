import { duplicateFlow as duplicateFlowEndpoint } from "#lib/contract/flows/flow-copies.ts";
import { duplicateFlow } from "#lib/flows/copy-flow.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(duplicateFlowEndpoint, ({ actor, params, body }) => duplicateFlow(actor, params.id, body)),
});
