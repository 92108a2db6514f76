import type { AlertKind, ShownAlertRule } from "#lib/contract/alerts.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";

/** Rules as the API tells them, with the names of their flows. */
export async function showAlertRules(rows: readonly AlertRuleModel[]): Promise<ShownAlertRule[]> {
  const ids = rows.flatMap(({ flowId }) => flowId ?? []);
  const flows = await database().flow.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(flows.map(({ id, name }) => [id, name]));
  return rows.map((row) => shown(row, names.get(row.flowId ?? "") ?? null));
}

function shown(row: AlertRuleModel, flowName: string | null): ShownAlertRule {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as AlertKind,
    flowId: row.flowId,
    flowName,
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
