import { z } from "zod";

// Events to Inngest. They are only alarms: whoever receives one reads the database.

/** A run is pending or orphaned. */
export const executionRequested = "millrace/execution.requested";
/** A run was cancelled. */
export const executionCancelled = "millrace/execution.cancelled";
/** A step of a waiting run was woken. */
export const executionWoken = "millrace/execution.woken";
/** Deliveries to subscribers are due. */
export const deliveriesDue = "millrace/deliveries.due";

/** There are backtests to run. */
export const backtestsDue = "millrace/backtests.due";

/** `workspaceId` and `flowId` are for Inngest's concurrency keys. */
export const executionData = z.object({
  executionId: z.string(),
  workspaceId: z.string(),
  flowId: z.string(),
});
export type ExecutionData = z.infer<typeof executionData>;

/** Matches events about the run of the waiting function, in Inngest's expression language. */
export const sameExecution = "async.data.executionId == event.data.executionId";
