import { createAlertRule, listAlertRules } from "#lib/alerts/alert-rules.ts";
import {
  createAlertRule as createAlertRuleEndpoint,
  listAlertRules as listAlertRulesEndpoint,
} from "#lib/contract/alerts.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listAlertRulesEndpoint, ({ actor, query }) => listAlertRules(actor, query)),
  POST: route(createAlertRuleEndpoint, ({ actor, body }) => createAlertRule(actor, body)),
});
