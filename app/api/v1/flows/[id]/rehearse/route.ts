import { rehearseFlow as rehearseFlowEndpoint } from "#lib/contract/flows/rehearsals.ts";
import { rehearseFlow } from "#lib/flows/tests/rehearse-flow.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(rehearseFlowEndpoint, ({ actor, params, body }) => rehearseFlow(actor, params.id, body)),
});
