import { isUnavailable, query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { inngest } from "./client.ts";
import { deliveriesDue, executionCancelled, executionWoken } from "./events.ts";

// What was written a moment ago bears this process's reading of the database's clock, which may be ahead by a little: the
// function waits for what is due within a second or so.
const findDue = `
  SELECT 1 AS found FROM webhook_delivery
  WHERE status = 'pending' AND next_attempt_at <= now() + interval '1 second' LIMIT 1`;

/** Has what is due to subscribers delivered now. Without it, the next look of the function would. */
export async function notifyOfDeliveries(): Promise<void> {
  try {
    if ((await query("deliveries-due", findDue, [])).length > 0)
      await inngest().send({ name: deliveriesDue, data: {} });
  } catch (error) {
    if (!isUnavailable(error)) logUntold(error);
  }
}

/** Ends the functions that do or wait with this run. Without it, they would see it when they next look. */
export function notifyOfCancellation(executionId: string): Promise<void> {
  return tell(executionCancelled, executionId);
}

/** Has the function that waits with this run look what has woken it. Without it, recovery would. */
export function notifyOfWaking(executionId: string): Promise<void> {
  return tell(executionWoken, executionId);
}

async function tell(name: string, executionId: string): Promise<void> {
  await inngest().send({ name, data: { executionId } }).catch(logUntold);
}

function logUntold(error: unknown): void {
  logLine("warning", "Inngest could not be told", errorFields(error));
}
