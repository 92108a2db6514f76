import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { nodeStatuses, reason } from "./executions.ts";

/** Steps of one run whose changes are told, the first ones: a loop may have any number. */
export const timelineStepsMax = 5_000;

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
  description: `Every change of a node's state, in order, also while the run goes on. Nodes that no path reached are \`skipped\` from the moment when that was decided, once the run has ended. Of a loop's body, each iteration is told. A run with more than ${timelineStepsMax} steps tells those that changed first.`,
  scope: "executions:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: z.array(stateChange),
});

export type StateChange = z.output<typeof stateChange>;
