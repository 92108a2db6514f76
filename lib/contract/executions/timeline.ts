import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { nodeStatuses, reason } from "./executions.ts";

/** How much is told of one run, which may have loops of any length. */
export const timelineLimits = {
  /** Steps in loops, those that began first. */
  loopStepsMax: 5_000,
  /** Changes to `skipped` in loops. */
  loopSkipsMax: 5_000,
  /** Characters of all reasons together; changes without room have none. */
  reasonsCharactersMax: 2_000_000,
} as const;

const stateChange = z
  .object({
    at: timestamp.describe("When it was"),
    nodeId: z.string().describe("The node's id"),
    iteration: z
      .string()
      .nullable()
      .describe("Which turn of the loop: `3`, or `3.0` in a loop within a loop; null outside of loops"),
    from: z.enum(nodeStatuses).describe("The state before"),
    to: z.enum(nodeStatuses).describe("The state from then on"),
    attempt: z.int().describe("Which attempt it was, from 1"),
    because: z
      .array(reason)
      .describe(
        "Why: of a node that began what led to it, of one that did not run the way back to the decision, of one that failed the failure and what the expression read, of one that waited what for and who woke it",
      ),
  })
  .meta({ id: "StateChange" });

export const readTimeline = endpoint({
  method: "GET",
  path: "/executions/:id/timeline",
  tag: "Executions",
  summary: "Read a run's timeline",
  description: `Every change of a node's state, in order, also while the run goes on. Nodes that no path reached are \`skipped\` from the moment when that was decided, once the run has ended. Of a loop's body, each iteration is told. Of steps in loops, the ${timelineLimits.loopStepsMax} that began first are told, and no skipped ones where there are more. \`because\` of a skipped node has the nodes right before it that were skipped too, and the decisions; where all reasons come to more than ${timelineLimits.reasonsCharactersMax} characters, the rest of them is left out.`,
  scope: "executions:read",
  params: idParams("execution"),
  shape: "data",
  status: 200,
  answer: z.array(stateChange),
});

export type StateChange = z.output<typeof stateChange>;
