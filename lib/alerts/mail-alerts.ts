import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { canSendMail, sendMail } from "#lib/platform/mail.ts";

interface Unmailed {
  id: string;
  rule_name: string;
  message: string;
  execution_id: string | null;
  emails: string[];
}

const alertsMax = 20;

/**
 * Mails the alerts that are not mailed yet, each once: it is noted before the mail goes out, since a mail too few, while
 * the alert stands in the app, is better than the same one again and again.
 */
export async function mailAlerts(): Promise<void> {
  if (!canSendMail()) return;
  const alerts = await database().$queryRaw<Unmailed[]>`
    UPDATE alert a SET unmailed = '{}' FROM (
      SELECT id, unmailed AS emails FROM alert WHERE cardinality(unmailed) > 0
      ORDER BY at LIMIT ${alertsMax} FOR UPDATE SKIP LOCKED) AS due
    WHERE a.id = due.id RETURNING a.id, a.rule_name, a.message, a.execution_id, due.emails`;
  for (const { rule_name: name, message, execution_id: executionId, emails } of alerts) {
    const link = `${env().publicUrl}/${executionId === null ? "" : `runs/${executionId}`}`;
    const text = `${message}.\n\n${link}\n\nThe rule “${name}” told this. Rules are changed at ${env().publicUrl}/alerts.`;
    await Promise.all(emails.map((to) => sendMail({ to, subject: `${name}: ${message}`, text })));
  }
}
