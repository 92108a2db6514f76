import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { anyOf, flag, milliseconds, oneOf, order, paging, searchText, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { logEntry } from "./logs.ts";

export const executionStatuses = ["pending", "running", "completed", "failed", "cancelled", "timeout"] as const;
export const nodeStatuses = ["pending", "running", "completed", "failed", "skipped", "cancelled"] as const;
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

/** What a run or a node waits for from outside: people's answers to a form, or any call. */
export const waitingFor = ["approval", "call"] as const;
export type WaitingFor = (typeof waitingFor)[number];

const shownWaitingFor = z
  .enum(waitingFor)
  .optional()
  .describe("Set while it waits for people to answer a form (`approval`), or for a call to its resume URL (`call`)");

export const executionListItem = z
  .object({
    id: z.string().describe("The execution's id"),
    flowId: z.string().describe("The flow's id"),
    flowName: z.string().describe("The flow's name"),
    status: z.enum(executionStatuses).describe("Where it stands"),
    trigger: z
      .object({ type: z.string().describe("Its type"), data: z.unknown().describe("The input: `$trigger.body`") })
      .describe("What started it, with its data"),
    source: z
      .enum(executionSources)
      .describe("What started it; `retry` and `sub-flow` whatever started the run they belong to"),
    startedAt: timestamp.describe("When it began"),
    completedAt: timestamp.nullable().describe("When it ended; null until it has"),
    duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
    nodesExecuted: z.int().describe("Nodes that ran"),
    errorCount: z.int().describe("Nodes that failed"),
    warningCount: z.int().describe("Warnings of its nodes"),
    waitingFor: shownWaitingFor,
    /** True for a run of a working copy; missing for all others. */
    draft: z.boolean().optional().describe("True for a run of a working copy, and for the sub-flows that it starts"),
    /** Why it failed or timed out; missing otherwise. */
    error: z
      .object({
        message: z.string().describe("What went wrong, for people"),
        nodeId: z.string().nullable().describe("The node's id; null for what is of the execution as a whole"),
        code: z.string().describe("What went wrong, for programs"),
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
    message: { type: "string", description: "What went wrong, for people" },
    code: { type: "string", description: "What went wrong, for programs" },
    field: { type: "string", description: "The path of the setting at fault, in the node's config" },
    expression: { type: "string", description: "The expression that failed" },
    position: { type: "integer", description: "Where in the expression, from 0" },
  },
  additionalProperties: true,
});

/** How a node acts on what is outside: a retry repeats reads without harm, and writes may be done twice. */
export const effects = ["none", "read", "write"] as const;

/** A part of why a node is in its state. */
export const reason = z
  .object({
    nodeId: z.string().nullable().describe("The node that it is about; null for the run as a whole, or its trigger"),
    handle: z.string().nullable().describe("The handle that it left by, or would have led on by"),
    expression: z.string().nullable().describe("What decided, or was read, as it is written"),
    value: z
      .unknown()
      .describe(
        "Its value; a large one is cut. Of a failure its `code` and `message`; of a wait what it waited for (`call`, `time`, `execution`), since when, and who woke it",
      ),
  })
  .meta({ id: "Reason" });

export const nodeExecution = z
  .object({
    nodeId: z.string().describe("The node's id"),
    nodeName: z.string().describe("The node's name"),
    type: z.string().describe("The node's type"),
    status: z.enum(nodeStatuses).describe("Where it stands"),
    waitingFor: shownWaitingFor,
    startedAt: timestamp.nullable().describe("When it began"),
    completedAt: timestamp.nullable().describe("When it ended; null until it has"),
    duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
    retries: z.int().optional().describe("Attempts after the first; of http-request nodes"),
    /** The handle that it left by; null for the plain one. */
    handle: z.string().nullable().optional().describe("The handle that it left by; null for the plain one"),
    effect: z.enum(effects).optional().describe("What it does outside of the run; a retry may do a `write` twice"),
    /** For a loop: how many of its iterations have started. */
    iterations: z.int().optional().describe("Of a loop: how many of its iterations have begun"),
    /** For a list output: its length. Only on request. */
    items: z
      .int()
      .optional()
      .describe("Of an output that is a list: how long it is; in a stream with `includeItemCounts`"),
    /** Of the output as JSON. Only on request. */
    outputBytes: z.int().optional().describe("Bytes of the output as JSON; in a stream with `includeItemCounts`"),
    error: shownNodeError.optional().describe("What went wrong"),
    /** The resolved config; with `includeNodeOutputs`. */
    input: z.unknown().optional().describe("The config as it was resolved; with `includeNodeOutputs`"),
    output: z.unknown().optional().describe("What it came to"),
  })
  .meta({ id: "NodeExecution" });

/** Why a run failed. */
export const executionError = z.object({
  message: z.string().describe("What went wrong, for people"),
  nodeId: z.string().nullable().describe("The node's id; null for what is of the execution as a whole"),
  code: z.string().describe("What went wrong, for programs"),
});

export const execution = executionListItem
  // `metadata` has it.
  .omit({ source: true })
  .extend({
    flowVersion: z.int().describe("The flow's version that ran"),
    /** Of a run of a working copy: its revision. `flowVersion` is then the version that it was based on. */
    draftRevision: z
      .int()
      .optional()
      .describe("Of a run of a working copy: the revision that ran. `flowVersion` is what it was based on"),
    trigger: z
      .object({
        type: z.string().describe("Its type"),
        data: z.unknown().describe("The input: `$trigger.body`"),
        timestamp: timestamp.describe("When it was"),
      })
      .describe("What started it, with its data"),
    nodes: z.array(nodeExecution).describe("What it does, node by node"),
    output: z.unknown().describe("What it came to"),
    error: executionError.optional().describe("What went wrong"),
    metadata: z.unknown().describe("Where it came from (`source`, `ip`, `userAgent`), beside what the client gave"),
    warnings: z
      .array(
        z.object({
          nodeId: z.string().nullable().describe("The node's id; null for what is of the execution as a whole"),
          message: z.string().describe("What went wrong, for people"),
          timestamp: timestamp.describe("When it was"),
          code: z.string().optional().describe("What went wrong, for programs"),
        }),
      )
      .describe("What its nodes warned of"),
    cancelledAt: timestamp.optional().describe("When it was cancelled"),
    reason: z.string().nullable().optional().describe("Why it is cancelled"),
    originalExecutionId: z.string().optional().describe("The execution that it was made from"),
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
    `flow's name, the id and the metadata, among the latest ${searchedMax} executions that the other filters fit; where there are more, ` +
    "`pagination.searchedSince` is the start of the earliest one that was looked at.",
  scope: "executions:read",
  query: z.object({
    ...paging,
    flowId: searchText("flowId").optional().describe("The flow's id"),
    status: anyOf("status", executionStatuses)
      .optional()
      .describe("Where it stands; a filter takes those that stand there"),
    source: anyOf("source", executionSources)
      .optional()
      .describe("What started it: `api`, `webhook`, `schedule`, `ui`, `retry`, `sub-flow`"),
    startDate: time("startDate", "start").optional().describe("From then on"),
    endDate: time("endDate", "end").optional().describe("Up to then"),
    minDuration: milliseconds("minDuration").optional().describe("Milliseconds, at least"),
    maxDuration: milliseconds("maxDuration").optional().describe("Milliseconds, at most"),
    search: searchText("search")
      .optional()
      .describe("Words in the error, the flow's name, the id and the metadata, in any order and any case"),
    sortBy: oneOf("sortBy", ["startedAt", "completedAt", "duration"])
      .optional()
      .default("startedAt")
      .describe("What the list is ordered by"),
    order: order.describe("Ascending or descending"),
  }),
  shape: "list",
  status: 200,
  answer: executionListItem,
});

export const readExecution = endpoint({
  method: "GET",
  path: "/executions/:id",
  tag,
  summary: "Read an execution",
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    includeLogs: flag("includeLogs", false).describe("Whether `logs` are told"),
    includeNodeOutputs: flag("includeNodeOutputs", false).describe("Whether each node's `input` and `output` are told"),
  }),
  shape: "data",
  status: 200,
  answer: execution,
});

export const readNodeExecution = endpoint({
  method: "GET",
  path: "/executions/:id/nodes/:nodeId",
  tag,
  summary: "Read one node of an execution",
  description:
    "With its input, as it was resolved, and its output: for whoever does not want those of all nodes at once. `why` tells of a node that did not run the way back to the decision, of one that failed what the failing expression read, and of one that waited what for and who woke it.",
  scope: "executions:read",
  params: z.object({ id: z.string().describe("The execution's id"), nodeId: z.string().describe("The node's id") }),
  shape: "data",
  status: 200,
  answer: nodeExecution.extend({
    why: z.array(reason).optional().describe("Why it is in its state: as in a timeline's `because`"),
  }),
});

export const cancelExecution = endpoint({
  method: "POST",
  path: "/executions/:id/cancel",
  tag,
  summary: "Cancel an execution",
  scope: "executions:write",
  params: idParams("execution"),
  body: z.object({
    reason: z
      .string("reason must be text")
      .max(5_000, "reason must have at most 5000 characters")
      .refine((text) => !text.includes("\u0000") && text.isWellFormed(), "reason must not contain U+0000")
      .nullish()
      .describe("Why it is cancelled"),
  }),
  shape: "data",
  status: 200,
  answer: z.object({
    id: z.string().describe("The execution's id"),
    status: z.literal("cancelled").describe("Where it stands; a filter takes those that stand there"),
    cancelledAt: timestamp.describe("When it was cancelled"),
    reason: z.string().nullable().describe("Why it is cancelled"),
  }),
});

export const deleteExecution = endpoint({
  method: "DELETE",
  path: "/executions/:id",
  tag,
  summary: "Delete an execution",
  scope: "executions:write",
  params: idParams("execution"),
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export type ExecutionStatus = (typeof executionStatuses)[number];
export type ShownExecution = z.output<typeof execution>;
export type ShownNodeExecution = z.output<typeof nodeExecution>;
export type Reason = z.output<typeof reason>;
export type Effect = (typeof effects)[number];
