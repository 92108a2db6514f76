import { deleteAlertRule, findAlertRule, showAlertRule, updateAlertRule } from "#lib/alerts/alert-rules.ts";
import {
  deleteAlertRule as deleteAlertRuleEndpoint,
  readAlertRule as readAlertRuleEndpoint,
  updateAlertRule as updateAlertRuleEndpoint,
} from "#lib/contract/alerts.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readAlertRuleEndpoint, async ({ actor, params }) => showAlertRule(await findAlertRule(actor, params.id))),
  PATCH: route(updateAlertRuleEndpoint, ({ actor, params, body }) => updateAlertRule(actor, params.id, body)),
  DELETE: route(deleteAlertRuleEndpoint, ({ actor, params }) => deleteAlertRule(actor, params.id)),
});
