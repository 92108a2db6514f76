import { z } from "zod";
import { timestamp } from "#lib/contract/timestamp.ts";

export const executionStatuses = ["pending", "running", "completed", "failed", "cancelled", "timeout"] as const;
export const nodeStatuses = ["pending", "running", "completed", "failed", "skipped", "cancelled"] as const;

/** What a run or a node waits for: people's answers to a form, any other call, an event, or only for a time. */
const waitingFor = ["approval", "call", "event", "time"] as const;
export type WaitingFor = (typeof waitingFor)[number];

/** The fields of a run or a node that waits. */
export const shownWait = {
  waitingFor: z
    .enum(waitingFor)
    .optional()
    .describe(
      "Set while it waits: for people to answer a form (`approval`), for a call to its resume URL (`call`), for an `event`, or only for a `time`",
    ),
  waitingUntil: timestamp.optional().describe("While it waits: when it continues at the latest; missing if never"),
};

export interface ShownWait {
  readonly waitingFor: WaitingFor;
  readonly waitingUntil?: string;
}

/** What became of a run's retries. */
export const shownRetry = z
  .object({
    executionId: z.string().describe("The execution that is the retry"),
    status: z.enum(executionStatuses).describe("Its status"),
  })
  .meta({ id: "ExecutionRetry" });

export type ShownRetry = z.output<typeof shownRetry>;
