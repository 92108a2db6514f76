import { evaluateRules } from "./evaluate-rules.ts";
import { mailAlerts } from "./mail-alerts.ts";

/** Looks at the rules that are due, and mails what has not been mailed; gives how many alerts were made. */
export async function watchRules(): Promise<number> {
  const made = await evaluateRules();
  await mailAlerts();
  return made;
}
