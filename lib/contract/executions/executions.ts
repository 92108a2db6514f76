import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { anyOf, flag, milliseconds, oneOf, order, paging, searchText, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { logEntry } from "./logs.ts";
import { executionStatuses, nodeStatuses, shownRetry, shownWait } from "./statuses.ts";

/** What started a run. */
export const executionSources = [
  "api",
  "webhook",
  "form",
  "schedule",
  "ui",
  "retry",
  "sub-flow",
  "table",
  "error",
  "poll",
  "rss",
  "mail",
] as const;

export const executionListItem = z
  .object({
    id: z.string().describe("The execution's id"),
    flowId: z.string().describe("The flow's id"),
    flowName: z.string().describe("The flow's name"),
    status: z.enum(executionStatuses).describe("Its status"),
    trigger: z
      .object({ type: z.string().describe("Its type"), data: z.unknown().describe("The input: `$trigger.body`") })
      .describe("What started it, with its data"),
    source: z
      .enum(executionSources)
      .describe("What started it; `retry` and `sub-flow` whatever started the run they belong to"),
    startedAt: timestamp.describe("When it started"),
    completedAt: timestamp.nullable().describe("When it ended; null until it has"),
    duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
    nodesExecuted: z.int().describe("Nodes that ran"),
    errorCount: z.int().describe("Nodes that failed"),
    warningCount: z.int().describe("Warnings from its nodes"),
    ...shownWait,
    retry: shownRetry
      .optional()
      .describe(
        "Of one that failed, timed out or was cancelled, and was retried: the retry that completed, or else the latest; also a retry of a retry",
      ),
    /** True for a run of a working copy; missing for all others. */
    draft: z.boolean().optional().describe("True for a run of a working copy, and for the sub-flows that it starts"),
    /** Why it failed or timed out; missing otherwise. */
    error: z
      .object({
        message: z.string().describe("What went wrong, in words"),
        nodeId: z.string().nullable().describe("The node's id; null for the execution as a whole"),
        code: z.string().describe("The error code"),
      })
      .optional()
      .describe("What went wrong"),
  })
  .meta({ id: "ExecutionListItem" });

/** Returned as stored; the known fields are described. */
const shownNodeError = z.unknown().meta({
  type: "object",
  required: ["message", "code"],
  properties: {
    message: { type: "string", description: "What went wrong, in words" },
    code: { type: "string", description: "The error code" },
    field: { type: "string", description: "The path of the invalid setting, in the node's config" },
    expression: { type: "string", description: "The expression that failed" },
    position: { type: "integer", description: "Where in the expression, from 0" },
  },
  additionalProperties: true,
});

/** How a node acts outside: retries repeat reads safely, but may repeat writes. */
export const effects = ["none", "read", "write"] as const;

/** A part of why a node is in its state. */
export const reason = z
  .object({
    nodeId: z.string().nullable().describe("The node; null for the run as a whole, or its trigger"),
    handle: z.string().nullable().describe("The handle that was taken, or would have been"),
    expression: z.string().nullable().describe("The source text of the expression that decided, or was read"),
    value: z
      .unknown()
      .describe(
        "Its value; a large one is truncated. For a failure, its `code` and `message`; for a wait, what it waited for (`call`, `time`, `execution`), since when, and who woke it",
      ),
  })
  .meta({ id: "Reason" });

export const nodeExecution = z
  .object({
    nodeId: z.string().describe("The node's id"),
    nodeName: z.string().describe("The node's name"),
    type: z.string().describe("The node's type"),
    status: z.enum(nodeStatuses).describe("Its status"),
    ...shownWait,
    disabled: z
      .boolean()
      .optional()
      .describe("True if it was disabled in the version that ran: it passed its input on"),
    startedAt: timestamp.nullable().describe("When it started"),
    completedAt: timestamp.nullable().describe("When it ended; null until it has"),
    duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
    retries: z.int().optional().describe("Attempts after the first; of http-request nodes"),
    handle: z.string().nullable().optional().describe("The handle that was taken; null for the plain one"),
    effect: z.enum(effects).optional().describe("Its effect outside the run; a retry may do a `write` twice"),
    iterations: z.int().optional().describe("For a loop: how many of its iterations have started"),
    items: z.int().optional().describe("The length of an output that is a list; in a stream with `includeItemCounts`"),
    outputBytes: z
      .int()
      .optional()
      .describe("Size of the output as JSON, in bytes; in a stream with `includeItemCounts`"),
    error: shownNodeError.optional().describe("What went wrong"),
    input: z.unknown().optional().describe("The resolved config; with `includeNodeOutputs`"),
    output: z.unknown().optional().describe("Its output"),
  })
  .meta({ id: "NodeExecution" });

/** Why a run failed. */
export const executionError = z.object({
  message: z.string().describe("What went wrong, in words"),
  nodeId: z.string().nullable().describe("The node's id; null for the execution as a whole"),
  code: z.string().describe("The error code"),
});

export const execution = executionListItem
  // `metadata` has it.
  .omit({ source: true })
  .extend({
    flowVersion: z.int().describe("The version of the flow that ran"),
    draftRevision: z
      .int()
      .optional()
      .describe("For a run of a working copy: the revision that ran. `flowVersion` is the version it was based on"),
    trigger: z
      .object({
        type: z.string().describe("Its type"),
        data: z.unknown().describe("The input: `$trigger.body`"),
        timestamp: timestamp.describe("When it happened"),
      })
      .describe("What started it, with its data"),
    nodes: z.array(nodeExecution).describe("Its nodes"),
    output: z.unknown().describe("Its output"),
    error: executionError.optional().describe("What went wrong"),
    metadata: z.unknown().describe("Where it came from (`source`, `ip`, `userAgent`), and the client's own metadata"),
    warnings: z
      .array(
        z.object({
          nodeId: z.string().nullable().describe("The node's id; null for the execution as a whole"),
          message: z.string().describe("What went wrong, in words"),
          timestamp: timestamp.describe("When it happened"),
          code: z.string().optional().describe("The error code"),
        }),
      )
      .describe("Its nodes' warnings"),
    cancelledAt: timestamp.optional().describe("When it was cancelled"),
    reason: z.string().nullable().optional().describe("Why it was cancelled"),
    originalExecutionId: z.string().optional().describe("The execution that it retries"),
    logs: z.array(logEntry).optional().describe("Log entries, in their order"),
  })
  .meta({ id: "Execution" });

const tag = "Executions";

/** The number of executions that a `search` covers. */
export const searchedMax = 10_000;

export const listExecutions = endpoint({
  method: "GET",
  path: "/executions",
  tag,
  summary: "List executions",
  description:
    "`status` and `source` take several values, separated by commas. Durations are in milliseconds, both bounds " +
    "inclusive; a run that has not ended has none. `search` finds words, in any order and any case, in the error, the " +
    `flow's name, the id and the metadata, among the latest ${searchedMax} executions that match the other filters; if there are more, ` +
    "`pagination.searchedSince` is the start of the earliest one that was searched.",
  scope: "executions:read",
  query: z.object({
    ...paging,
    flowId: searchText("flowId").optional().describe("The flow's id"),
    status: anyOf("status", executionStatuses)
      .optional()
      .describe("Its status; as a filter, only those with this status"),
    source: anyOf("source", executionSources)
      .optional()
      .describe("What started it: `api`, `webhook`, `schedule`, `ui`, `retry`, `sub-flow`"),
    startDate: time("startDate", "start").optional().describe("At or after this time"),
    endDate: time("endDate", "end").optional().describe("At or before this time"),
    minDuration: milliseconds("minDuration").optional().describe("At least this many milliseconds"),
    maxDuration: milliseconds("maxDuration").optional().describe("At most this many milliseconds"),
    search: searchText("search")
      .optional()
      .describe("Words in the error, the flow's name, the id and the metadata, in any order and any case"),
    sortBy: oneOf("sortBy", ["startedAt", "completedAt", "duration"])
      .optional()
      .default("startedAt")
      .describe("The field to sort by"),
    order: order.describe("Ascending or descending"),
  }),
  shape: "list",
  answer: executionListItem,
});

export const readExecution = endpoint({
  method: "GET",
  path: "/executions/:id",
  tag,
  summary: "Read an execution",
  description: "With the state of each node. Inputs, outputs and logs are included only on request.",
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    includeLogs: flag("includeLogs", false).describe("Whether to include `logs`"),
    includeNodeOutputs: flag("includeNodeOutputs", false).describe(
      "Whether to include each node's `input` and `output`",
    ),
  }),
  answer: execution,
});

export const readNodeExecution = endpoint({
  method: "GET",
  path: "/executions/:id/nodes/:nodeId",
  tag,
  summary: "Read one node of an execution",
  description:
    "With its resolved input and its output, without loading those of all nodes. `why` explains a node that did not run with the path back to the decision, one that failed with the values that the failing expression read, and one that waited with what it waited for and who woke it.",
  scope: "executions:read",
  params: z.object({ id: z.string().describe("The execution's id"), nodeId: z.string().describe("The node's id") }),
  answer: nodeExecution.extend({
    why: z.array(reason).optional().describe("Why it is in its state: as in a timeline's `because`"),
  }),
});

export const cancelExecution = endpoint({
  method: "POST",
  path: "/executions/:id/cancel",
  tag,
  summary: "Cancel an execution",
  description:
    "What is in progress is stopped, and no further node starts. 400 `INVALID_STATUS` if the execution has ended.",
  scope: "executions:write",
  params: idParams("execution"),
  body: z.object({
    reason: z
      .string("reason must be text")
      .max(5_000, "reason must have at most 5000 characters")
      .refine(isStorableText, "reason must not contain U+0000 or unpaired surrogates")
      .nullish()
      .describe("Why it was cancelled"),
  }),
  answer: z.object({
    id: z.string().describe("The execution's id"),
    status: z.literal("cancelled").describe("Its status; as a filter, only those with this status"),
    cancelledAt: timestamp.describe("When it was cancelled"),
    reason: z.string().nullable().describe("Why it was cancelled"),
  }),
});

export const deleteExecution = endpoint({
  method: "DELETE",
  path: "/executions/:id",
  tag,
  summary: "Delete an execution",
  description: "Deletes its nodes, logs and files, too. It must have ended.",
  scope: "executions:write",
  params: idParams("execution"),
  shape: "empty",
});

export type ExecutionStatus = (typeof executionStatuses)[number];
export type ShownExecution = z.output<typeof execution>;
export type ShownNodeExecution = z.output<typeof nodeExecution>;
export type Reason = z.output<typeof reason>;
export type Effect = (typeof effects)[number];
