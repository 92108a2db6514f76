import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { flag, searchText } from "#lib/contract/query.ts";
import { execution, nodeExecution } from "./executions.ts";
import { logEntry } from "./logs.ts";

const id = z.int().describe("Increases with every event of a run; send it as `Last-Event-ID` to resume");

const executionEvent = z.object({
  id,
  event: z.literal("execution").describe("The event's name"),
  data: execution.omit({ logs: true }).describe("The run, node or log entry"),
});
const nodeEvent = z.object({
  id,
  event: z.literal("node").describe("The event's name"),
  data: nodeExecution.describe("The run, node or log entry"),
});
const logEvent = z.object({
  id,
  event: z.literal("log").describe("The event's name"),
  data: logEntry.describe("The run, node or log entry"),
});
const textEvent = z.object({
  id,
  event: z.literal("text").describe("The event's name"),
  data: z
    .object({
      nodeId: z.string().describe("The node that asks a model"),
      iteration: z
        .string()
        .nullable()
        .describe("The loop's iteration or the agent's step, such as `3` or `3.0`; null outside both"),
      text: z.string().describe("The model's answer so far, truncated to 32,768 characters"),
    })
    .describe("A model's answer in progress"),
});

export const streamExecution = endpoint({
  method: "GET",
  path: "/executions/:id/stream",
  tag: "Executions",
  summary: "Stream an execution",
  description: [
    "Server-sent events. `execution` is the run as in `GET /executions/:id`: its state when the stream starts, each time its status changes, and with its final status as the last event, after which the stream ends. `node` is a node that changed, as in the run but without `iterations`; it has no event of its own when it begins or ends to wait: the `log` event does that. `log` is a log entry, as in `GET /executions/:id/logs`; existing entries come first, starting with the one that the run started.",
    "Every event's `id` is larger than the one before it. A disconnected client sends the last one as `Last-Event-ID` (or as the parameter `lastEventId`) and gets everything since; 204 means that it already has the end. An entry about the run as a whole may then be repeated, with the same `data.id`. A comment is sent every 15 seconds.",
    "`includeNodeOutputs` adds inputs and outputs, as in the single read. `includeItemCounts` adds the size of outputs, and the length of lists: for clients that show a run live and load a node's output on demand.",
    "`includeText` adds `text` events: a model's answer so far, up to five times a second while the server you are connected to asks it. They repeat the `id` of the event before them and are not sent again after a reconnect; the complete answer is the node's output.",
  ].join("\n\n"),
  scope: "executions:read",
  params: idParams("execution"),
  query: z.object({
    includeNodeOutputs: flag("includeNodeOutputs", false).describe(
      "Whether to include each node's `input` and `output`",
    ),
    includeItemCounts: flag("includeItemCounts", false).describe(
      "Whether to include the size of each output, as `outputBytes`, and the length of a list, as `items`",
    ),
    includeText: flag("includeText", false).describe("Whether to include models' answers while they are written"),
    lastEventId: searchText("lastEventId")
      .optional()
      .describe("The id of the last event that the client has, if it cannot send the header"),
  }),
  shape: "stream",
  statuses: [200, 204],
  answer: z.discriminatedUnion("event", [executionEvent, nodeEvent, logEvent, textEvent]),
});

export type StreamEvent = z.input<(typeof streamExecution)["answer"]>;
