import type { Actor } from "#lib/auth/actor.ts";
import type { AlertRuleChanges, ShownAlertRule } from "#lib/contract/alerts.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { findAlertRule } from "./find-alert-rule.ts";
import { requireFlow } from "./require-flow.ts";
import { showAlertRule } from "./show-alert-rule.ts";

/** Changes the fields that were sent; what happened before is not told again. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateAlertRule(actor: Actor, id: string, changes: AlertRuleChanges): Promise<ShownAlertRule> {
  const { workspaceId } = actor;
  await findAlertRule(actor, id);
  await requireFlow(actor, changes.flowId);
  const now = new Date();
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const data = { ...given, updatedAt: now, lastCauseAt: now, lastAlertAt: null, checkedAt: now, nextCheckAt: now };
  const { count } = await database().alertRule.updateMany({ where: { id, workspaceId }, data });
  if (count === 0) throw notFound("Alert rule");
  return showAlertRule(await findAlertRule(actor, id));
}
