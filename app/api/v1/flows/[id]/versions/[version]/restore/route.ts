import { restoreFlowVersion as restoreFlowVersionEndpoint } from "#lib/contract/flows/flow-versions.ts";
import { restoreFlowVersion } from "#lib/flows/flow-versions.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(restoreFlowVersionEndpoint, async ({ actor, params, caller }) => {
    const ifMatch = caller.header("if-match");
    const { payload, version } = await restoreFlowVersion(actor, params.id, params.version, ifMatch);
    return { payload, headers: { etag: etagOf(version) } };
  }),
});
