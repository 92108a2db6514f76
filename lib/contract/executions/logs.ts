import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { oneOf, searchText } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

export const logLevels = ["info", "warning", "error"] as const;

export const logEntry = z
  .object({
    id: z.string().describe("Its id"),
    timestamp: timestamp.describe("When it happened"),
    level: z.enum(logLevels).describe("Its level"),
    nodeId: z.string().nullable().describe("The node's id; null for the execution as a whole"),
    message: z.string().describe("What happened"),
    data: z.unknown().optional().describe("Data that was logged with it"),
  })
  .meta({ id: "LogEntry" });

export const readExecutionLogs = endpoint({
  method: "GET",
  path: "/executions/:id/logs",
  tag: "Executions",
  summary: "Read an execution's logs",
  description:
    "In order: the entries that nodes wrote, and, with `nodeId` null, events of the run as a whole: what started it, and that it waited, resumed, ended or was retried. The latter are derived from the run's record, and have `data.event`.",
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    level: oneOf("level", logLevels).optional().describe("Only entries of this level"),
    nodeId: searchText("nodeId").optional().describe("Only entries of this node"),
  }),
  answer: z.array(logEntry),
});

export type ShownLogEntry = z.output<typeof logEntry>;
