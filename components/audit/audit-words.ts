import type { AuditSubject, ShownAuditEntry } from "#lib/contract/audit-log.ts";

const subjects: Record<AuditSubject, string> = {
  workspace: "Workspace",
  member: "Member",
  invitation: "Invitation",
  session: "Session",
  account: "Account",
  key: "API key",
  credential: "Credential",
  flow: "Flow",
  webhook: "Webhook subscription",
  alert_rule: "Alert rule",
  executions: "Runs",
};

export const subjectOptions = Object.entries(subjects).map(([value, label]) => ({
  value: value as AuditSubject,
  label,
}));

/** One run, and not a choice of many. */
export const isRun = ({ type, id }: ShownAuditEntry["subject"]) => type === "executions" && id.startsWith("exec_");

/** "Flow updated: Order intake". */
export function whatInWords({ action, subject }: ShownAuditEntry): string {
  const verb = (action.split(".")[1] ?? action).replaceAll("_", " ");
  const what = `${isRun(subject) ? "Run" : subjects[subject.type]} ${verb}`;
  return subject.name ? `${what}: ${subject.name}` : what;
}

/** What is different, field by field: "role: viewer → editor". */
export function changeInWords({ before, after }: ShownAuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
    .map((name) => {
      const [old, next] = [textOf(before?.[name]), textOf(after?.[name])];
      const field = fieldInWords(name);
      return before === null || old === "" ? `${field}: ${next}` : `${field}: ${old} → ${next || "none"}`;
    })
    .join(", ");
}

/** "quietMinutes" is "quiet minutes". */
function fieldInWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = Array.isArray(value) ? value.join(" ") : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
