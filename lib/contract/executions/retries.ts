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
    "A new execution of the flow's current version (of a working copy's run: of the working copy as it is now), from the original's input or from one of its nodes. When the original did not complete, requests that are the same again carry its `Idempotency-Key`, so that a receiver can tell a repetition; after one that completed they carry new keys.",
  scope: "flows:execute",
  params: idParams("execution"),
  body: z.object({
    overrideData: jsonObject("overrideData").nullish().describe("Input in place of the original's"),
    fromNode: z
      .string("fromNode must be a node id")
      .nullish()
      .describe("The node to begin at: what comes before it keeps its outputs"),
    untilNode: z
      .string("untilNode must be a node id")
      .nullish()
      .describe("Only this node and those on a way to it run"),
    version: z
      .enum(["published", "draft"], 'version must be "published" or "draft"')
      .nullish()
      .describe("What runs: the flow or its working copy; missing: what the original was a run of"),
    idempotency: z
      .enum(idempotencies, `idempotency must be one of ${idempotencies.join(", ")}`)
      .nullish()
      .describe(
        "Which `Idempotency-Key`s its requests carry: `same` those of the original, `new` its own. By default `same` if the original did not complete",
      ),
  }),
  shape: "data",
  status: 202,
  answer: z.object({
    executionId: z.string().describe("The execution's id"),
    originalExecutionId: z.string().describe("The execution that it was made from"),
    status: z.literal("running").describe("Where it stands; a filter takes those that stand there"),
    startedAt: timestamp.describe("When it began"),
  }),
});

export const retryPlan = z.object({
  /** The version that would run, and the one that did. */
  flowVersion: z.int().describe("The flow's version that ran"),
  originalVersion: z.int().describe("The version that the original ran"),
  /** Why it cannot be retried from this node; null if it can. */
  problem: z.string().nullable().describe("Why it cannot be run again from there; null when it can"),
  /** The nodes of the version that would run, and what happens to each. */
  nodes: z
    .array(
      z.object({
        nodeId: z.string().describe("The node's id; null for what is of the execution as a whole"),
        nodeName: z.string().describe("The node's name"),
        plan: z.enum(["reused", "runs", "skipped"]).describe("What becomes of the node"),
        effect: z.enum(effects).describe("What it does outside of the run; a retry may do a `write` twice"),
        replay: z
          .object({
            again: z.boolean().describe("Whether it was done and is done again"),
            key: z.string().nullable().describe("The key itself: told this once"),
            reason: z.string().describe("Why, for people"),
          })
          .describe("Whether a retry does it again, the key of the original that goes with it, and why"),
      }),
    )
    .describe("What it does, node by node"),
});

export const readRetryPlan = endpoint({
  method: "GET",
  path: "/executions/:id/retry-plan",
  tag,
  summary: "Preview a retry",
  description:
    "Of which nodes the outputs are reused, and which run (or are skipped, where branches lead elsewhere). Without `fromNode` all run. `replay` tells which effects are repeated, and which `Idempotency-Key` of the original goes with one whose request is the same.",
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    fromNode: searchText("fromNode")
      .optional()
      .describe("The node to begin at: what comes before it keeps its outputs"),
    idempotency: oneOf("idempotency", idempotencies)
      .optional()
      .describe(
        "Which `Idempotency-Key`s its requests carry: `same` those of the original, `new` its own. By default `same` if the original did not complete",
      ),
  }),
  shape: "data",
  status: 200,
  answer: retryPlan,
});
