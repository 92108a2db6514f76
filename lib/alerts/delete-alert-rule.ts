import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { notFound } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { findAlertRule } from "./find-alert-rule.ts";

/** Deletes a rule with its alerts. Throws NOT_FOUND. */
export async function deleteAlertRule(actor: Actor, id: string): Promise<null> {
  const { name } = await findAlertRule(actor, id);
  await database().$transaction(async (tx) => {
    const { count } = await tx.alertRule.deleteMany({ where: { id, workspaceId: actor.workspaceId } });
    if (count === 0) throw notFound("Alert rule");
    await recordChange(tx, actor, { action: "alert_rule.deleted", id, name });
  });
  return null;
}
