import { z } from "zod";

// What Millrace tells Inngest. Events are alarms, never the truth: who receives one looks into the database.

/** A run is to be done: it is new, or nobody attends to it any more. */
export const executionRequested = "millrace/execution.requested";
/** A run was cancelled. */
export const executionCancelled = "millrace/execution.cancelled";
/** Something has woken a step of a run that waits. */
export const executionWoken = "millrace/execution.woken";
/** Deliveries to subscribers are due. */
export const deliveriesDue = "millrace/deliveries.due";

/** `workspaceId` and `flowId` are there for Inngest's concurrency keys. */
export const executionData = z.object({
  executionId: z.string(),
  workspaceId: z.string(),
  flowId: z.string(),
});
export type ExecutionData = z.infer<typeof executionData>;

/** Tells which events are about the run of the function that asks, in Inngest's expression language. */
export const sameExecution = "async.data.executionId == event.data.executionId";
