import { importFlow as importFlowEndpoint } from "#lib/contract/flow-copies.ts";
import { importFlow } from "#lib/flows/import-flow.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(importFlowEndpoint, ({ actor, body }) => importFlow(actor, body)),
});
