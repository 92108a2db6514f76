import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { AlertRuleChanges, ShownAlertRule } from "#lib/contract/alerts.ts";
import { notFound } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { findAlertRule } from "./find-alert-rule.ts";
import { requireFlow } from "./require-flow.ts";
import { showAlertRule } from "./show-alert-rule.ts";
import { toldOfRule } from "./told-of-rule.ts";

/** Changes the fields that were sent; what happened before is not told again. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateAlertRule(actor: Actor, id: string, changes: AlertRuleChanges): Promise<ShownAlertRule> {
  const { workspaceId } = actor;
  const found = await findAlertRule(actor, id);
  await requireFlow(actor, changes.flowId);
  const now = timeNow();
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const data = { ...given, updatedAt: now, lastCauseAt: now, lastAlertAt: null, checkedAt: now, nextCheckAt: now };
  const changed = await database().$transaction(async (tx) => {
    const [row] = await tx.alertRule.updateManyAndReturn({ where: { id, workspaceId }, data });
    if (row === undefined) throw notFound("Alert rule");
    const change = { before: toldOfRule(found), after: toldOfRule(row) };
    await recordChange(tx, actor, { action: "alert_rule.updated", id, name: row.name, ...change });
    return row;
  });
  return await showAlertRule(changed);
}
