import { evaluateExpression as evaluateExpressionEndpoint } from "#lib/contract/expressions.ts";
import { evaluateExpression } from "#lib/executions/evaluate-expression.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { outside } from "#lib/runtime/outside.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(evaluateExpressionEndpoint, ({ actor, body }) => evaluateExpression(actor, body, outside().sandbox)),
});
