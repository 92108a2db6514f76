import { isUnavailable, query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { backtestsDue, deliveriesDue, executionCancelled, executionWoken, inngest } from "./client.ts";

// New rows have this process's estimate of the database's clock, which may be slightly ahead, so rows due within a
// second or so are included.
const findDue = `
  SELECT 1 AS found FROM webhook_delivery
  WHERE status = 'pending' AND next_attempt_at <= now() + interval '1 second' LIMIT 1`;

/** Starts the function for due deliveries now. Without it, its next poll finds them. */
export async function notifyOfDeliveries(): Promise<void> {
  try {
    if ((await query("deliveries-due", findDue, [])).length > 0)
      await inngest().send({ name: deliveriesDue, data: {} });
  } catch (error) {
    if (!isUnavailable(error)) logUnsent(error);
  }
}

/** Starts the function for new backtests now. Without it, its next poll finds them. */
export async function notifyOfBacktests(): Promise<void> {
  await inngest().send({ name: backtestsDue, data: {} }).catch(logUnsent);
}

/** Ends the functions that drive or await this run. Without it, they find out at their next poll. */
export function notifyOfCancellation(executionId: string): Promise<void> {
  return send(executionCancelled, executionId);
}

/** Makes the function that waits with this run check what woke it. Without it, recovery does. */
export function notifyOfWaking(executionId: string): Promise<void> {
  return send(executionWoken, executionId);
}

async function send(name: string, executionId: string): Promise<void> {
  await inngest().send({ name, data: { executionId } }).catch(logUnsent);
}

function logUnsent(error: unknown): void {
  logLine("warning", "An event could not be sent to Inngest", errorFields(error));
}
