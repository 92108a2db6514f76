import { readFlowTypes as readFlowTypesEndpoint } from "#lib/contract/flows/flow-types.ts";
import { readFlowTypes } from "#lib/flows/learned-types/read-flow-types.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readFlowTypesEndpoint, ({ actor, params }) => readFlowTypes(actor, params.id)),
});
