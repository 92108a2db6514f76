import type { ShownAlertRule } from "#lib/contract/alerts.ts";
import { notFound } from "#lib/errors.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";
import { showAlertRules } from "./show-alert-rules.ts";

/** A rule as the API tells it. */
export async function showAlertRule(row: AlertRuleModel): Promise<ShownAlertRule> {
  const [rule] = await showAlertRules([row]);
  if (rule === undefined) throw notFound("Alert rule");
  return rule;
}
