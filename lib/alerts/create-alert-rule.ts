import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewAlertRule, ShownAlertRule } from "#lib/contract/alerts.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { requireFlow } from "./require-flow.ts";
import { showAlertRule } from "./show-alert-rule.ts";
import { toldOfRule } from "./told-of-rule.ts";

/** Makes a rule; it tells of what happens from now on. Throws VALIDATION_ERROR. */
export async function createAlertRule(actor: Actor, given: NewAlertRule): Promise<ShownAlertRule> {
  await requireFlow(actor, given.flowId);
  const now = timeNow();
  const data = {
    ...given,
    id: newId("alertRule"),
    workspaceId: actor.workspaceId,
    flowId: given.flowId ?? null,
    createdAt: now,
    updatedAt: now,
    nextCheckAt: now,
    checkedAt: now,
    lastCauseAt: now,
  };
  const made = await database().$transaction(async (tx) => {
    const row = await tx.alertRule.create({ data });
    await recordChange(tx, actor, { action: "alert_rule.created", id: row.id, name: row.name, after: toldOfRule(row) });
    return row;
  });
  return await showAlertRule(made);
}
