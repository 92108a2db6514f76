import { runFlowTests as runFlowTestsEndpoint } from "#lib/contract/flows/flow-tests.ts";
import { runFlowTests } from "#lib/flows/tests/run-tests.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(runFlowTestsEndpoint, ({ actor, params, body }) => runFlowTests(actor, params.id, body)),
});
