import type { AlertRuleModel } from "#lib/platform/prisma/models.ts";

/** What the audit log tells of a rule. */
export function toldOfRule(rule: AlertRuleModel) {
  const { kind, flowId, threshold, windowMinutes, quietMinutes, emails, active } = rule;
  return { kind, flowId, threshold, windowMinutes, quietMinutes, emails, active };
}
