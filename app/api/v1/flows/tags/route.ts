import { listFlowTags as listFlowTagsEndpoint } from "#lib/contract/flows/flow-tags.ts";
import { listFlowTags } from "#lib/flows/list/list-flows.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listFlowTagsEndpoint, ({ actor }) => listFlowTags(actor)),
});
