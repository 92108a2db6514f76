import type { Actor } from "#lib/auth/actor.ts";
import type { AlertKind, ShownAlert } from "#lib/contract/alerts.ts";
import { iso } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { AlertModel } from "#lib/platform/prisma/models.ts";

/** A page of the workspace's alerts, the latest first. */
export async function listAlerts({ workspaceId }: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId };
  const total = await database().alert.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const orderBy = [{ at: "desc" as const }, { id: "desc" as const }];
  const rows = await database().alert.findMany({ where, orderBy, skip: (page - 1) * limit, take: limit });
  return { items: rows.map(showAlert), total };
}

export function showAlert(row: AlertModel): ShownAlert {
  const { id, ruleId, ruleName, kind, flowId, flowName, executionId, message, at } = row;
  return { id, ruleId, ruleName, kind: kind as AlertKind, flowId, flowName, executionId, message, at: iso(at) };
}
