import { createFlow as createFlowEndpoint, listFlows as listFlowsEndpoint } from "#lib/contract/flows/flows.ts";
import { createFlow } from "#lib/flows/create-flow.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { listFlows } from "#lib/flows/list/list-flows.ts";
import { testsGiven } from "#lib/flows/tests/replace-tests.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listFlowsEndpoint, ({ actor, query }) => listFlows(actor, query)),
  POST: route(createFlowEndpoint, async ({ actor, body }) => {
    const payload = await createFlow(actor, body, testsGiven(actor, body.tests));
    return { payload, headers: { etag: etagOf(payload.version) } };
  }),
});
