import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf, paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { nodeExecution } from "./executions.ts";
import { shownWait } from "./statuses.ts";

export const iterationStatuses = ["running", "completed", "failed", "cancelled"] as const;

const path = /^\d{1,9}(\.\d{1,9})*$/;

/** An iteration of a loop, as text: `3`, or `3.0` in a nested loop. */
export const iterationPath = (label: string) =>
  z
    .string(`${label} must be given once`)
    .regex(path, `${label} must be the iteration of the loop, such as 3 (or 3.0 in a nested loop)`);

const iteration = z
  .object({
    iteration: z
      .string()
      .describe("Which iteration it is: its item's index, from 0; in a nested loop, after the outer iteration's"),
    /** `completed`: nothing in it is in progress. `failed`: a node failed without an `error` edge. */
    status: z.enum(iterationStatuses).describe("Its status"),
    ...shownWait,
    startedAt: timestamp.nullable().describe("When it started"),
    completedAt: timestamp.nullable().describe("When it ended; null until it has"),
    duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
    nodesExecuted: z.int().describe("Nodes that ran"),
  })
  .meta({ id: "LoopIteration" });

const tag = "Executions";
const nodeParams = z.object({
  id: z.string().describe("The execution's id"),
  nodeId: z.string().describe("The loop's id"),
});

export const listIterations = endpoint({
  method: "GET",
  path: "/executions/:id/nodes/:nodeId/iterations",
  tag,
  summary: "List the iterations of a loop",
  description:
    "In the order of the items. For a nested loop, those of every iteration of the outer loop; `within` picks one. An iteration waits if each of its running nodes does: `waitingFor` and `waitingUntil` are those of the wait that ends first.",
  scope: "executions:read",
  params: nodeParams,
  query: z.object({
    ...paging,
    status: oneOf("status", iterationStatuses)
      .optional()
      .describe("Its status; as a filter, only those with this status"),
    within: iterationPath("within").optional().describe("Only those within this iteration of the outer loop"),
  }),
  shape: "list",
  answer: iteration,
});

export const readIteration = endpoint({
  method: "GET",
  path: "/executions/:id/nodes/:nodeId/iterations/:iteration",
  tag,
  summary: "Read one iteration of a loop",
  description: "With the input and output of each node in the loop's body.",
  scope: "executions:read",
  params: nodeParams.extend({
    iteration: z
      .string()
      .describe("Which iteration it is: its item's index, from 0; in a nested loop, after the outer iteration's"),
  }),
  answer: iteration.extend({ nodes: z.array(nodeExecution).describe("Its nodes") }),
});

export type LoopIteration = z.output<typeof iteration>;
export type ReadIteration = z.output<typeof readIteration.answer>;
