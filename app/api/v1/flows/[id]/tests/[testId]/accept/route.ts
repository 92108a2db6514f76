import { acceptFlowTest as acceptFlowTestEndpoint } from "#lib/contract/flows/flow-tests.ts";
import { acceptFlowTest } from "#lib/flows/tests/run-tests.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(acceptFlowTestEndpoint, ({ actor, params, body, caller }) =>
    acceptFlowTest(actor, params.id, params.testId, body, caller.header("if-match")),
  ),
});
