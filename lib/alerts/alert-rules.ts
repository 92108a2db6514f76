import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { AlertKind, AlertRuleChanges, NewAlertRule, ShownAlertRule } from "#lib/contract/alerts.ts";
import type { PageAsked } from "#lib/contract/query.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, timeNow } from "#lib/platform/clock.ts";
import { newestFirst, pageOf } from "#lib/platform/database/page.ts";
import { database } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";

/** A page of the workspace's rules, newest first. */
export async function listAlertRules({ workspaceId }: Actor, asked: PageAsked) {
  const where = { workspaceId };
  const { alertRule } = database();
  return await pageOf(asked, alertRule.count({ where }), async (part) => {
    const rows = await alertRule.findMany({ where, ...newestFirst, ...part });
    return await showAlertRules(rows);
  });
}

/** A rule as the API shows it. */
export async function showAlertRule(row: AlertRuleModel): Promise<ShownAlertRule> {
  const [rule] = await showAlertRules([row]);
  if (rule === undefined) throw notFound("Alert rule");
  return rule;
}

/** A rule of the actor's workspace. Throws NOT_FOUND. */
export async function findAlertRule({ workspaceId }: Actor, id: string) {
  const row = isId("alertRule", id) ? await database().alertRule.findFirst({ where: { id, workspaceId } }) : null;
  if (row === null) throw notFound("Alert rule");
  return row;
}

/** The maximum number of rules per workspace: each is checked every few seconds. */
const rulesMax = 100;

/** Creates a rule, which considers only later events. Throws VALIDATION_ERROR. */
export async function createAlertRule(actor: Actor, given: NewAlertRule): Promise<ShownAlertRule> {
  await requireFlow(actor, given.flowId, given.kind);
  if ((await database().alertRule.count({ where: { workspaceId: actor.workspaceId } })) >= rulesMax) {
    const details = { name: `a workspace may have at most ${rulesMax} rules: delete one first` };
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details });
  }
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
    await recordChange(tx, actor, {
      action: "alert_rule.created",
      id: row.id,
      name: row.name,
      after: ruleForAudit(row),
    });
    return row;
  });
  return await showAlertRule(made);
}

/** Changes the given fields; earlier events do not count again. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateAlertRule(actor: Actor, id: string, changes: AlertRuleChanges): Promise<ShownAlertRule> {
  const { workspaceId } = actor;
  const found = await findAlertRule(actor, id);
  await requireFlow(actor, changes.flowId, found.kind);
  const now = timeNow();
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const data = { ...given, updatedAt: now, lastCauseAt: now, lastAlertAt: null, checkedAt: now, nextCheckAt: now };
  const changed = await database().$transaction(async (tx) => {
    const [row] = await tx.alertRule.updateManyAndReturn({ where: { id, workspaceId }, data });
    if (row === undefined) throw notFound("Alert rule");
    const change = { before: ruleForAudit(found), after: ruleForAudit(row) };
    await recordChange(tx, actor, { action: "alert_rule.updated", id, name: row.name, ...change });
    return row;
  });
  return await showAlertRule(changed);
}

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

/** Rules as the API shows them, with their flows' names. */
async function showAlertRules(rows: readonly AlertRuleModel[]): Promise<ShownAlertRule[]> {
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

/** Throws VALIDATION_ERROR (`flowId`) if the workspace does not have the flow, or if the rule's kind takes none. */
async function requireFlow({ workspaceId }: Actor, flowId: string | null | undefined, kind: string): Promise<void> {
  if (flowId === null || flowId === undefined) return;
  const refuse = (reason: string) =>
    new AppError("VALIDATION_ERROR", "The request body is not valid", { details: { flowId: reason } });
  if (kind === "credential") throw refuse("a rule of kind credential watches all credentials");
  const flow = await database().flow.findFirst({ where: { id: flowId, workspaceId }, select: { id: true } });
  if (flow === null) throw refuse("there is no such flow");
}

/** A rule in the audit log. */
function ruleForAudit(rule: AlertRuleModel) {
  const { kind, flowId, threshold, windowMinutes, quietMinutes, emails, active } = rule;
  return { kind, flowId, threshold, windowMinutes, quietMinutes, emails, active };
}
