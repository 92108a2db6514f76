import { evaluateExpression as evaluateExpressionEndpoint } from "#lib/contract/flows/checks.ts";
import { evaluateExpression } from "#lib/executions/nodes/evaluate-expression.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(evaluateExpressionEndpoint, ({ actor, body }) => evaluateExpression(actor, body, outsideWorld().sandbox)),
});
