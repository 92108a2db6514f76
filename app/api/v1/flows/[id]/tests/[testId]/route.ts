import {
  deleteFlowTest as deleteFlowTestEndpoint,
  readFlowTest as readFlowTestEndpoint,
  updateFlowTest as updateFlowTestEndpoint,
} from "#lib/contract/flows/flow-tests.ts";
import { deleteFlowTest, readFlowTest, updateFlowTest } from "#lib/flows/tests/flow-tests.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readFlowTestEndpoint, ({ actor, params }) => readFlowTest(actor, params.id, params.testId)),
  PATCH: route(updateFlowTestEndpoint, ({ actor, params, body, caller }) =>
    updateFlowTest(actor, params.id, params.testId, body, caller.header("if-match")),
  ),
  DELETE: route(deleteFlowTestEndpoint, ({ actor, params, caller }) =>
    deleteFlowTest(actor, params.id, params.testId, caller.header("if-match")),
  ),
});
