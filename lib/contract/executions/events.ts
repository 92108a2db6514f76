import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint } from "../endpoint.ts";
import { timestamp } from "../timestamp.ts";

/** Limits of a key's length, and of an event's data as JSON. */
export const eventLimits = { keyMax: 200, dataBytesMax: 65_536 } as const;

/** The key of an event. */
export const eventKey = z
  .string("key must be text")
  .min(1, "key must not be empty")
  .max(eventLimits.keyMax, `key must have at most ${eventLimits.keyMax} characters`)
  .refine(isStorableText, "key must not contain U+0000 or half a character");

const newEvent = z.object({
  key: eventKey.describe("The key that runs wait for"),
  data: z
    .unknown()
    .refine(
      (data) => new TextEncoder().encode(JSON.stringify(data ?? null)).length <= eventLimits.dataBytesMax,
      `data must take at most ${eventLimits.dataBytesMax} bytes as JSON`,
    )
    .optional()
    .describe("The waiting node's output: any JSON"),
});

const event = z
  .object({
    id: z.string().describe("The event's id"),
    key: z.string().describe("The key that runs wait for"),
    createdAt: timestamp.describe("When it was received"),
  })
  .meta({ id: "Event" });

export const sendEvent = endpoint({
  method: "POST",
  path: "/events",
  tag: "Executions",
  summary: "Send an event",
  description: [
    "Wakes every run of the workspace that waits for `key` in a `wait-for` node, once; `data` becomes the node's output. A run that reaches such a node later also gets the event, if it had started before the event arrived.",
    "The answer is sent once the event is stored: whatever happens to the servers, it is not lost.",
  ].join("\n\n"),
  scope: "executions:write",
  body: newEvent,
  bodyRequired: true,
  status: 202,
  answer: event,
});

export type NewEvent = z.output<typeof newEvent>;
export type ShownEvent = z.output<typeof event>;
