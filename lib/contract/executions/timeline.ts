import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { reason } from "./executions.ts";
import { nodeStatuses } from "./statuses.ts";

/** Limits on a timeline: a run may have loops of any length. */
export const timelineLimits = {
  /** Steps in loops, the first ones to start. */
  loopStepsMax: 5_000,
  /** Changes to `skipped` in loops. */
  loopSkipsMax: 5_000,
  /** Characters of all reasons together; later changes have none. */
  reasonsCharactersMax: 2_000_000,
} as const;

const stateChange = z
  .object({
    at: timestamp.describe("When it happened"),
    nodeId: z.string().describe("The node's id"),
    iteration: z
      .string()
      .nullable()
      .describe("Which iteration of the loop: `3`, or `3.0` in a nested loop; null outside loops"),
    from: z.enum(nodeStatuses).describe("The state before"),
    to: z.enum(nodeStatuses).describe("The state after"),
    attempt: z.int().describe("Which attempt it was, from 1"),
    because: z
      .array(reason)
      .describe(
        "Why: for a node that started, what led to it; for one that did not run, the path back to the decision; for one that failed, the failure and the values that the expression read; for one that waited, what it waited for and who woke it",
      ),
  })
  .meta({ id: "StateChange" });

export const readTimeline = endpoint({
  method: "GET",
  path: "/executions/:id/timeline",
  tag: "Executions",
  summary: "Read a run's timeline",
  description: `Every change of a node's state, in order, also while the run is in progress. Nodes that no path reached are \`skipped\` from the moment when that was decided, once the run has ended. Each iteration of a loop's body is included. Of the steps in loops, the first ${timelineLimits.loopStepsMax} are included, without skipped ones if there are more. \`because\` of a skipped node has the nodes right before it that were skipped too, and the decisions; beyond ${timelineLimits.reasonsCharactersMax} characters in total, further reasons are omitted.`,
  scope: "executions:read",
  params: idParams("execution"),
  answer: z.array(stateChange),
});

export type StateChange = z.output<typeof stateChange>;
