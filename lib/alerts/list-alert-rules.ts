import type { Actor } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { showAlertRules } from "./show-alert-rules.ts";

/** A page of the workspace's rules, the newest first. */
export async function listAlertRules({ workspaceId }: Actor, { page, limit }: { page: number; limit: number }) {
  const where = { workspaceId };
  const total = await database().alertRule.count({ where });
  if ((page - 1) * limit >= total) return { items: [], total };
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const rows = await database().alertRule.findMany({ where, orderBy, skip: (page - 1) * limit, take: limit });
  return { items: await showAlertRules(rows), total };
}
