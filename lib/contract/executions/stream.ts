import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { flag, searchText } from "#lib/contract/query.ts";
import { execution, nodeExecution } from "./executions.ts";
import { logEntry } from "./logs.ts";

const id = z.int().describe("Larger with every event of a run; what `Last-Event-ID` goes on from");

const executionEvent = z.object({
  id,
  event: z.literal("execution").describe("The event's name"),
  data: execution.omit({ logs: true }).describe("The run, the node or the entry of the log that it is about"),
});
const nodeEvent = z.object({
  id,
  event: z.literal("node").describe("The event's name"),
  data: nodeExecution.describe("The run, the node or the entry of the log that it is about"),
});
const logEvent = z.object({
  id,
  event: z.literal("log").describe("The event's name"),
  data: logEntry.describe("The run, the node or the entry of the log that it is about"),
});

export const streamExecution = endpoint({
  method: "GET",
  path: "/executions/:id/stream",
  tag: "Executions",
  summary: "Stream an execution",
  description: [
    "Server-sent events. `execution` is the run as the single read tells it: where it stands when the stream begins, each time its status changes, and with its final status as the last event, after which the stream ends. `node` is a node that changed. `log` is a log entry, as `GET /executions/:id/logs` has it; those that are there already come first, the entry that the run started before all others.",
    "Every event's `id` is larger than the one before it. A client that was cut off sends the last as `Last-Event-ID` (or as the parameter `lastEventId`) and is told what happened since; 204 means that it has the end already. An entry about the run as a whole may then come again: its `data.id` is the same. A comment comes every 15 seconds.",
    "`includeNodeOutputs` adds inputs and outputs, as in the single read. `includeItemCounts` tells how large outputs are, and of lists how long: for who shows a run as it goes on, and reads a node's output when it is looked at.",
  ].join("\n\n"),
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    includeNodeOutputs: flag("includeNodeOutputs", false).describe("Whether each node's `input` and `output` are told"),
    includeItemCounts: flag("includeItemCounts", false).describe(
      "Whether of each output is told how large it is, as `outputBytes`, and of one that is a list how long, as `items`",
    ),
    lastEventId: searchText("lastEventId")
      .optional()
      .describe("The id of the last event that the client has, where it cannot send the header"),
  }),
  shape: "stream",
  status: 200,
  statuses: [200, 204],
  answer: z.discriminatedUnion("event", [executionEvent, nodeEvent, logEvent]),
});

export type StreamEvent = z.input<(typeof streamExecution)["answer"]>;
