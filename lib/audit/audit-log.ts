import type { AuditQuery, AuditSubject, ShownAuditEntry } from "#lib/contract/accounts/audit-log.ts";
import { iso, nowMs } from "#lib/platform/clock.ts";
import { pageOf } from "#lib/platform/database/page.ts";
import { database, query } from "#lib/platform/database.ts";
import type { AuditEntryModel, AuditEntryWhereInput } from "#lib/platform/prisma/models.ts";

/** A page of the workspace's audit log, newest first. */
export async function listAuditLog({ workspaceId }: { readonly workspaceId: string }, auditQuery: AuditQuery) {
  const where = whereOf(workspaceId, auditQuery);
  const { auditEntry } = database();
  return await pageOf(auditQuery, auditEntry.count({ where }), async (part) => {
    const rows = await auditEntry.findMany({ where, orderBy: [{ at: "desc" }, { id: "desc" }], ...part });
    return rows.map(show);
  });
}

/** Leaves out missing conditions: to Prisma, `undefined` means "any". */
function whereOf(workspaceId: string, auditQuery: AuditQuery): AuditEntryWhereInput {
  const { action, subjectType, actor, subject, startDate, endDate } = auditQuery;
  return {
    workspaceId,
    ...(action === undefined ? {} : { action }),
    ...(subjectType === undefined ? {} : { subjectType }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(subject === undefined ? {} : { subjectId: subject }),
    ...(startDate === undefined && endDate === undefined
      ? {}
      : { at: { ...(startDate && { gte: startDate }), ...(endDate && { lte: endDate }) } }),
  };
}

function show(row: AuditEntryModel): ShownAuditEntry {
  return {
    id: row.id,
    at: iso(row.at),
    action: row.action,
    actor: { kind: row.actorKind as "user" | "key" | "system", id: row.actorId, name: row.actorName },
    subject: { type: row.subjectType as AuditSubject, id: row.subjectId, name: row.subjectName },
    ip: row.ip,
    requestId: row.requestId,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}

const dayMs = 86_400_000;

/** Deletes entries older than this many days, through the only function that can; returns how many. */
export async function expireAuditLog(days: number): Promise<number> {
  const before = new Date(nowMs() - days * dayMs);
  const text = "SELECT delete_audit_entries_before($1)::int AS gone";
  const [row] = await query<{ gone: number }>("expire-audit-log", text, [before]);
  return row?.gone ?? 0;
}
