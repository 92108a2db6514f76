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
    at: timestamp,
    nodeId: z.string(),
    iteration: z.string().nullable(),
    from: z.enum(nodeStatuses),
    to: z.enum(nodeStatuses),
    attempt: z.int(),
    because: z.array(reason),
  })
  .meta({ id: "StateChange" });

export const readTimeline = endpoint({
  method: "GET",
  path: "/executions/:id/timeline",
  tag: "Executions",
  summary: "Read a run's timeline",
  description: `Every change of a node's state, in order, also while the run goes on. Nodes that no path reached are \`skipped\` from the moment when that was decided, once the run has ended. Of a loop's body, each iteration is told. Of steps in loops, the ${timelineLimits.loopStepsMax} that began first are told, and no skipped ones where there are more. \`because\` of a skipped node has the nodes right before it that were skipped too, and the decisions; where all reasons come to more than ${timelineLimits.reasonsCharactersMax} characters, the rest of them is left out.`,
  scope: "executions:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: z.array(stateChange),
});

export type StateChange = z.output<typeof stateChange>;
