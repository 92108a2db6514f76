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
  summary: "Run again",
  description:
    "A new execution of the flow's current version (of a working copy's run: of the working copy as it is now), from the original's input or from one of its nodes. When the original did not complete, requests that are the same again carry its `Idempotency-Key`, so that a receiver can tell a repetition; after one that completed they carry new keys.",
  scope: "flows:execute",
  params: idParams,
  body: z.object({
    overrideData: jsonObject("overrideData").nullish(),
    fromNode: z.string("fromNode must be a node id").nullish(),
    untilNode: z.string("untilNode must be a node id").nullish(),
    version: z
      .enum(["published", "draft"], 'version must be "published" or "draft"')
      .nullish()
      .meta({ description: "What runs: the flow or its working copy; missing: what the original was a run of" }),
    idempotency: z.enum(idempotencies, `idempotency must be one of ${idempotencies.join(", ")}`).nullish(),
  }),
  shape: "data",
  status: 202,
  answer: z.object({
    executionId: z.string(),
    originalExecutionId: z.string(),
    status: z.literal("running"),
    startedAt: timestamp,
  }),
});

export const retryPlan = z.object({
  /** The version that would run, and the one that did. */
  flowVersion: z.int(),
  originalVersion: z.int(),
  /** Why it cannot be retried from this node; null if it can. */
  problem: z.string().nullable(),
  /** The nodes of the version that would run, and what happens to each. */
  nodes: z.array(
    z.object({
      nodeId: z.string(),
      nodeName: z.string(),
      plan: z.enum(["reused", "runs", "skipped"]),
      effect: z.enum(effects),
      replay: z.object({ again: z.boolean(), key: z.string().nullable(), reason: z.string() }),
    }),
  ),
});

export const readRetryPlan = endpoint({
  method: "GET",
  path: "/executions/:id/retry-plan",
  tag,
  summary: "See what running again would do",
  description:
    "Of which nodes the outputs are reused, and which run (or are skipped, where branches lead elsewhere). Without `fromNode` all run. `replay` tells which effects are repeated, and which `Idempotency-Key` of the original goes with one whose request is the same.",
  scope: "executions:read",
  params: idParams,
  query: z.object({
    fromNode: searchText("fromNode").optional(),
    idempotency: oneOf("idempotency", idempotencies).optional(),
  }),
  shape: "data",
  status: 200,
  answer: retryPlan,
});
