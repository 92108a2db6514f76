import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf, paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { nodeExecution } from "./executions.ts";

export const iterationStatuses = ["running", "completed", "failed", "cancelled"] as const;

const path = /^\d{1,9}(\.\d{1,9})*$/;

/** An iteration of a loop, as text: `3`, or `3.0` in a nested loop. */
export const iterationPath = (what: string) =>
  z
    .string(`${what} must be given once`)
    .regex(path, `${what} must be the turn in the loop, such as 3 (or 3.0 in a loop within)`);

const iteration = z
  .object({
    /** Its item's position, from 0; in nested loops preceded by those of the outer loops: `3.0`. */
    iteration: z
      .string()
      .describe(
        "Which it is: its item's place, counted from 0; in a loop within a loop after that of the turn around it",
      ),
    /** `completed`: nothing of it is in progress. `failed`: a node failed and no `error` edge caught it. */
    status: z.enum(iterationStatuses).describe("Where it stands"),
    startedAt: timestamp.nullable().describe("When it began"),
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
    "In the order of the items. Of a loop within a loop, those of every turn of the loop around it; `within` picks one.",
  scope: "executions:read",
  params: nodeParams,
  query: z.object({
    ...paging,
    status: oneOf("status", iterationStatuses)
      .optional()
      .describe("Where it stands; a filter takes those that stand there"),
    within: iterationPath("within").optional().describe("Only those in this turn of the loop around it"),
  }),
  shape: "list",
  status: 200,
  answer: iteration,
});

export const readIteration = endpoint({
  method: "GET",
  path: "/executions/:id/nodes/:nodeId/iterations/:iteration",
  tag,
  summary: "Read one iteration of a loop",
  description: "With what each node of the loop's body was given and made in it.",
  scope: "executions:read",
  params: nodeParams.extend({
    iteration: z
      .string()
      .describe(
        "Which it is: its item's place, counted from 0; in a loop within a loop after that of the turn around it",
      ),
  }),
  shape: "data",
  status: 200,
  answer: iteration.extend({ nodes: z.array(nodeExecution).describe("What it does, node by node") }),
});

export type LoopIteration = z.output<typeof iteration>;
export type ReadIteration = z.output<typeof readIteration.answer>;
