import { type FlowTrigger, pollModes } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";

const everyMs = (fallback: string) =>
  ({
    title: "Every",
    description: `The time between polls: at least 30 seconds. ${fallback}`,
    type: "integer",
    format: "duration",
    minimum: 30_000,
  }) as const;

const fromNow = {
  title: "From now on",
  description: "If on, items that exist at the first poll start no runs. If off, they all do.",
  type: "boolean",
  default: true,
} as const;

/** The settings of polling triggers, in the format of the nodes' config schemas. */
export const pollTriggerSchemas = {
  poll: {
    type: "object",
    required: ["request", "items"],
    properties: {
      everyMs: everyMs("Or a schedule."),
      request: { title: "Request", description: "The request to send, as in the HTTP request node.", type: "object" },
      items: {
        title: "Items",
        description: "The list in the response, such as $response.body.orders. $response is {status, headers, body}.",
        type: "string",
        format: "expression",
        examples: ["$response.body.orders"],
      },
      key: {
        title: "Key",
        description: "What identifies an item, such as $item.id. Default: the whole item.",
        type: "string",
        format: "expression",
        examples: ["$item.id"],
      },
      mode: {
        title: "Start runs for",
        description: "Which items start a run.",
        type: "string",
        enum: [...pollModes],
        default: "new",
        labels: { new: "New items", changed: "New and changed items" },
      },
      cron: {
        title: "Schedule",
        description: "When it polls, instead of an interval. As cron: minute, hour, day, month, weekday.",
        type: "string",
        format: "cron",
      },
      timezone: {
        title: "Time zone",
        description: "The schedule's time zone. Default: UTC.",
        type: "string",
        format: "time-zone",
      },
      batch: {
        title: "One run for all items",
        description: "Whether all new items of a poll start one run, with the list as $trigger.body.",
        type: "boolean",
        default: false,
      },
      fromNow,
    },
  },
  rss: {
    type: "object",
    required: ["url"],
    properties: {
      url: { title: "Feed", description: "The URL of an RSS, Atom or RDF feed.", type: "string", format: "plain" },
      everyMs: everyMs("Default: 15 minutes."),
      fromNow,
    },
  },
  mail: {
    type: "object",
    required: ["credential"],
    properties: {
      credential: {
        title: "Credential",
        description: "The mail server and the account: a credential of type imap.",
        type: "string",
        format: "credential",
      },
      mailbox: {
        title: "Mailbox",
        description: "Its name on the server, such as INBOX or Orders/New.",
        type: "string",
        format: "plain",
        default: "INBOX",
      },
      markSeen: {
        title: "Mark as read",
        description: "Whether mails are marked as read once their runs are stored.",
        type: "boolean",
        default: false,
      },
      everyMs: everyMs("Default: 1 minute."),
      fromNow,
    },
  },
} as const;

/** Settings that every node has but a poll's request does not. */
const ofNodes = ["onError", "notes"];

/** A poll's schema, including the form of the node that makes its request. */
export function withRequestForm(type: FlowTrigger["type"], schema: unknown, requestSchema: unknown): unknown {
  if (type !== "poll" || !isJsonObject(schema) || !isJsonObject(schema.properties)) return schema;
  if (!isJsonObject(requestSchema) || !isJsonObject(requestSchema.properties)) return schema;
  const fields = Object.entries(requestSchema.properties).filter(([name]) => !ofNodes.includes(name));
  const { request } = pollTriggerSchemas.poll.properties;
  const form = { ...requestSchema, ...request, properties: Object.fromEntries(fields) };
  return { ...schema, properties: { ...schema.properties, request: form } };
}
