import {
  deleteExecution as deleteExecutionEndpoint,
  readExecution as readExecutionEndpoint,
} from "#lib/contract/executions/executions.ts";
import { deleteExecution } from "#lib/executions/delete-executions.ts";
import { executionText } from "#lib/executions/execution-text.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readExecutionEndpoint, async ({ actor, params, query }) => ({
    chunks: executionText(actor, params.id, query),
  })),
  DELETE: route(deleteExecutionEndpoint, ({ actor, params }) => deleteExecution(actor, params.id)),
});
