import { publishFlow as publishFlowEndpoint } from "#lib/contract/flows/working-copy.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { publishFlow } from "#lib/flows/working-copy/publish-flow.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(publishFlowEndpoint, async ({ actor, params, body, caller }) => {
    const payload = await publishFlow(actor, params.id, body, caller.header("if-match"));
    return { payload, headers: { etag: etagOf(payload.version) } };
  }),
});
