import {
  createFlowTest as createFlowTestEndpoint,
  listFlowTests as listFlowTestsEndpoint,
} from "#lib/contract/flows/flow-tests.ts";
import { createFlowTest, listFlowTests } from "#lib/flows/tests/flow-tests.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listFlowTestsEndpoint, ({ actor, params, query }) => listFlowTests(actor, params.id, query)),
  POST: route(createFlowTestEndpoint, ({ actor, params, body }) => createFlowTest(actor, params.id, body)),
});
