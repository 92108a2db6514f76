import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { anyOf, flag, milliseconds, oneOf, order, paging, searchText, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

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
] as const;
export const logLevels = ["info", "warning", "error"] as const;

/** What a run or a node waits for from outside: people's answers to a form, or any call. */
export const waitingFor = ["approval", "call"] as const;
export type WaitingFor = (typeof waitingFor)[number];

const shownWaitingFor = z.enum(waitingFor).optional().meta({
  description: "Set while it waits for people to answer a form (`approval`), or for a call to its resume URL (`call`)",
});

export const executionListItem = z
  .object({
    id: z.string(),
    flowId: z.string(),
    flowName: z.string(),
    status: z.enum(executionStatuses),
    trigger: z.object({ type: z.string(), data: z.unknown() }),
    source: z.enum(executionSources),
    startedAt: timestamp,
    completedAt: timestamp.nullable(),
    duration: z.int().nullable(),
    nodesExecuted: z.int(),
    errorCount: z.int(),
    warningCount: z.int(),
    waitingFor: shownWaitingFor,
    /** True for a run of a working copy; missing for all others. */
    draft: z.boolean().optional(),
    /** Why it failed or timed out; missing otherwise. */
    error: z.object({ message: z.string(), nodeId: z.string().nullable(), code: z.string() }).optional(),
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
    nodeId: z.string().nullable(),
    handle: z.string().nullable(),
    expression: z.string().nullable(),
    value: z.unknown(),
  })
  .meta({ id: "Reason" });

export const nodeExecution = z
  .object({
    nodeId: z.string(),
    nodeName: z.string(),
    type: z.string(),
    status: z.enum(nodeStatuses),
    waitingFor: shownWaitingFor,
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    duration: z.int().nullable(),
    retries: z.int().optional(),
    /** The handle that it left by; null for the plain one. */
    handle: z.string().nullable().optional(),
    effect: z.enum(effects).optional(),
    /** For a loop: how many of its iterations have started. */
    iterations: z.int().optional(),
    /** For a list output: its length. Only on request. */
    items: z.int().optional(),
    /** Of the output as JSON. Only on request. */
    outputBytes: z.int().optional(),
    error: shownNodeError.optional(),
    /** The resolved config; with `includeNodeOutputs`. */
    input: z.unknown().optional(),
    output: z.unknown().optional(),
  })
  .meta({ id: "NodeExecution" });

export const logEntry = z
  .object({
    id: z.string(),
    timestamp,
    level: z.enum(logLevels),
    nodeId: z.string().nullable(),
    message: z.string(),
    data: z.unknown().optional(),
  })
  .meta({ id: "LogEntry" });

/** Why a run failed. */
export const executionError = z.object({
  message: z.string(),
  nodeId: z.string().nullable(),
  code: z.string(),
});

export const execution = executionListItem
  // `metadata` has it.
  .omit({ source: true })
  .extend({
    flowVersion: z.int(),
    /** Of a run of a working copy: its revision. `flowVersion` is then the version that it was based on. */
    draftRevision: z.int().optional(),
    trigger: z.object({ type: z.string(), data: z.unknown(), timestamp }),
    nodes: z.array(nodeExecution),
    output: z.unknown(),
    error: executionError.optional(),
    metadata: z.unknown(),
    warnings: z.array(
      z.object({ nodeId: z.string().nullable(), message: z.string(), timestamp, code: z.string().optional() }),
    ),
    cancelledAt: timestamp.optional(),
    reason: z.string().nullable().optional(),
    originalExecutionId: z.string().optional(),
    logs: z.array(logEntry).optional(),
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
    flowId: searchText("flowId").optional(),
    status: anyOf("status", executionStatuses).optional(),
    source: anyOf("source", executionSources).optional(),
    startDate: time("startDate", "start").optional(),
    endDate: time("endDate", "end").optional(),
    minDuration: milliseconds("minDuration").optional(),
    maxDuration: milliseconds("maxDuration").optional(),
    search: searchText("search").optional(),
    sortBy: oneOf("sortBy", ["startedAt", "completedAt", "duration"]).optional().default("startedAt"),
    order,
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
  params: idParams,
  query: z.object({
    includeLogs: flag("includeLogs", false),
    includeNodeOutputs: flag("includeNodeOutputs", false),
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
  params: z.object({ id: z.string(), nodeId: z.string() }),
  shape: "data",
  status: 200,
  answer: nodeExecution.extend({ why: z.array(reason).optional() }),
});

export const readExecutionLogs = endpoint({
  method: "GET",
  path: "/executions/:id/logs",
  tag,
  summary: "Read an execution's logs",
  description:
    "In order: what nodes wrote, and, with `nodeId` null, what became of the run as a whole: that it started and by what, waited, went on, ended and was retried. The latter are made from the run's record, and have `data.event`.",
  scope: "executions:read",
  params: idParams,
  query: z.object({ level: oneOf("level", logLevels).optional(), nodeId: searchText("nodeId").optional() }),
  shape: "data",
  status: 200,
  answer: z.array(logEntry),
});

export const cancelExecution = endpoint({
  method: "POST",
  path: "/executions/:id/cancel",
  tag,
  summary: "Cancel an execution",
  scope: "executions:write",
  params: idParams,
  body: z.object({
    reason: z
      .string("reason must be text")
      .max(5_000, "reason must have at most 5000 characters")
      .refine((text) => !text.includes("\u0000") && text.isWellFormed(), "reason must not contain U+0000")
      .nullish(),
  }),
  shape: "data",
  status: 200,
  answer: z.object({
    id: z.string(),
    status: z.literal("cancelled"),
    cancelledAt: timestamp,
    reason: z.string().nullable(),
  }),
});

export const deleteExecution = endpoint({
  method: "DELETE",
  path: "/executions/:id",
  tag,
  summary: "Delete an execution",
  scope: "executions:write",
  params: idParams,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export type ExecutionStatus = (typeof executionStatuses)[number];
export type ShownExecution = z.output<typeof execution>;
export type ShownNodeExecution = z.output<typeof nodeExecution>;
export type Reason = z.output<typeof reason>;
export type Effect = (typeof effects)[number];
export type ShownLogEntry = z.output<typeof logEntry>;
