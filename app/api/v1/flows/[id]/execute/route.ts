import { executeFlow as executeFlowEndpoint } from "#lib/contract/flows/flows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { executeFlow } from "#lib/runtime/start/execute-flow.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(executeFlowEndpoint, ({ actor, params, body, caller }) => executeFlow(actor, params.id, body, caller)),
});
