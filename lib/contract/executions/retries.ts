import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { oneOf, searchText } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { jsonObject } from "#lib/engine/flow.ts";
import { effects } from "./executions.ts";

const tag = "Executions";

/** Which `Idempotency-Key`s the requests of a retry carry: the original's, or new ones. */
export const idempotencies = ["same", "new"] as const;

export const retryExecution = endpoint({
  method: "POST",
  path: "/executions/:id/retry",
  tag,
  summary: "Retry an execution",
  description:
    "A new execution of the flow's current version (for a run of a working copy: of the current working copy), with the original's input or from one of its nodes. If the original did not complete, unchanged requests carry its `Idempotency-Key`, so that a receiver can detect the repeat; otherwise they carry new keys.",
  scope: "flows:execute",
  params: idParams("execution"),
  body: z.object({
    overrideData: jsonObject("overrideData").nullish().describe("Input to replace the original's"),
    fromNode: z
      .string("fromNode must be a node id")
      .nullish()
      .describe("The node to start at: the outputs of nodes before it are reused"),
    untilNode: z
      .string("untilNode must be a node id")
      .nullish()
      .describe("Only this node and those that lead to it run"),
    version: z
      .enum(["published", "draft"], 'version must be "published" or "draft"')
      .nullish()
      .describe("What to run: the flow or its working copy; default: whichever the original ran"),
    idempotency: z
      .enum(idempotencies, `idempotency must be one of ${idempotencies.join(", ")}`)
      .nullish()
      .describe(
        "Which `Idempotency-Key`s its requests carry: `same` for the original's, `new` for new ones. Defaults to `same` if the original did not complete",
      ),
  }),
  status: 202,
  answer: z.object({
    executionId: z.string().describe("The execution's id"),
    originalExecutionId: z.string().describe("The execution that it retries"),
    status: z.literal("running").describe("Its status; as a filter, only those with this status"),
    startedAt: timestamp.describe("When it started"),
  }),
});

export const retryPlan = z.object({
  /** The version that would run, and the one that did. */
  flowVersion: z.int().describe("The version of the flow that ran"),
  originalVersion: z.int().describe("The version that the original ran"),
  problem: z.string().nullable().describe("Why it cannot be rerun from there; null if it can"),
  /** The nodes of the version that would run, and what happens to each. */
  nodes: z
    .array(
      z.object({
        nodeId: z.string().describe("The node's id; null for the execution as a whole"),
        nodeName: z.string().describe("The node's name"),
        plan: z.enum(["reused", "runs", "skipped"]).describe("What will happen to the node"),
        effect: z.enum(effects).describe("Its effect outside the run; a retry may do a `write` twice"),
        replay: z
          .object({
            again: z.boolean().describe("Whether it was done before and will be repeated"),
            key: z.string().nullable().describe("The key itself, shown only once"),
            reason: z.string().describe("Why, in words"),
          })
          .describe("Whether a retry repeats it, the original's key that it carries, and why"),
      }),
    )
    .describe("Its nodes"),
});

export const readRetryPlan = endpoint({
  method: "GET",
  path: "/executions/:id/retry-plan",
  tag,
  summary: "Preview a retry",
  description:
    "Which nodes' outputs are reused, and which nodes run (or are skipped, if other branches are taken). Without `fromNode` all run. `replay` says which effects are repeated, and which of the original's `Idempotency-Key`s an unchanged request carries.",
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    fromNode: searchText("fromNode")
      .optional()
      .describe("The node to start at: the outputs of nodes before it are reused"),
    idempotency: oneOf("idempotency", idempotencies)
      .optional()
      .describe(
        "Which `Idempotency-Key`s its requests carry: `same` for the original's, `new` for new ones. Defaults to `same` if the original did not complete",
      ),
  }),
  answer: retryPlan,
});
