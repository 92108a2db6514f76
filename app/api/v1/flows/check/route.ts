import { checkFlow as checkFlowEndpoint } from "#lib/contract/flows/checks.ts";
import { checkFlow } from "#lib/flows/flow-problems.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(checkFlowEndpoint, ({ actor, body }) => checkFlow(actor, body)),
});
