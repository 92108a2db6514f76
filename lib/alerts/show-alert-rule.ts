import type { AlertKind, ShownAlertRule } from "#lib/contract/alerts.ts";
import { iso } from "#lib/platform/clock.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";

/** A rule as the API tells it. */
export function showAlertRule(row: AlertRuleModel): ShownAlertRule {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as AlertKind,
    flowId: row.flowId,
    threshold: row.threshold,
    windowMinutes: row.windowMinutes,
    quietMinutes: row.quietMinutes,
    emails: row.emails,
    active: row.active,
    lastAlertAt: row.lastAlertAt === null ? null : iso(row.lastAlertAt),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
