import { importFlow as importFlowEndpoint } from "#lib/contract/flows/flow-copies.ts";
import { importFlow } from "#lib/flows/copy-flow.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(importFlowEndpoint, async ({ actor, body }) => {
    const payload = await importFlow(actor, body);
    return { payload, headers: { etag: etagOf(payload.version) } };
  }),
});
