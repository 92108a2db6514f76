import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { eventAliases, eventNames } from "./event-names.ts";
import { executionStatuses } from "./executions/executions.ts";
import { oneOf, paging } from "./query.ts";
import { timestamp } from "./timestamp.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Limits of a subscription. */
export const subscriptionLimits = { urlCharactersMax: 2_048, secretBytesMin: 24, secretCharactersMax: 255 } as const;

const { urlCharactersMax, secretBytesMin, secretCharactersMax } = subscriptionLimits;

const url = z
  .string("url must be text")
  .max(urlCharactersMax, `url must have at most ${urlCharactersMax} characters`)
  .refine(
    (text) => isStorableText(text) && /^https?:\/\//i.test(text) && URL.canParse(text),
    "url must be a complete http:// or https:// address",
  );

const events = z
  .array(z.enum(eventNames, `an event must be one of ${eventNames.join(", ")}`), "events must be an array of names")
  .min(1, "events must name at least one event")
  .max(100, "events must name at most 100 events")
  .transform((names) => [...new Set(names)]);

const secret = z
  .string("secret must be text")
  .max(secretCharactersMax, `secret must have at most ${secretCharactersMax} characters`)
  .refine(isStorableText, "secret must not contain U+0000 or unpaired surrogates")
  .refine((text) => keyBytes(text) >= secretBytesMin, `secret must have at least ${secretBytesMin} bytes`)
  .meta({
    description: `At least ${secretBytesMin} bytes; of one that begins with \`whsec_\`, those that its base64 stands for`,
  });

/** Bytes of the signing key: the shorter of the secret's two readings. */
function keyBytes(secret: string): number {
  const base64 = /^whsec_([A-Za-z0-9+/_-]*)/.exec(secret)?.[1];
  return base64 === undefined ? new TextEncoder().encode(secret).length : Math.floor((base64.length * 3) / 4);
}

/** What subscriptions are sent when a run changes its state. */
export const executionEvent = z
  .object({
    event: z.enum(Object.values(eventAliases).flat()).describe("The name that was subscribed to"),
    timestamp: timestamp.describe("When it was"),
    data: z
      .object({
        executionId: z.string().describe("The execution's id"),
        flowId: z.string().describe("The flow's id"),
        flowName: z.string().describe("The flow's name"),
        status: z.enum(executionStatuses).describe("Where it stands"),
        duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
        output: z.unknown().describe("What the run came to; null unless it completed"),
        draft: z.literal(true).optional().describe("Of a run of a working copy, or of what it started"),
      })
      .describe("The run"),
    test: z.literal(true).optional().describe("True for a test event"),
  })
  .meta({ id: "ExecutionEvent" });

export type ExecutionEvent = z.input<typeof executionEvent>;

const active = z.boolean("active must be true or false");

export const subscription = z
  .object({
    id: z.string().describe("The subscription's id"),
    url: z.string().describe("Where events are sent"),
    events: z.array(z.string()).describe("Names of the events that are sent"),
    active: z.boolean().describe("Whether it is in force"),
    createdAt: timestamp.describe("When it was made"),
    updatedAt: timestamp.describe("When it was changed last"),
    /** The last attempted delivery; null before the first attempt. */
    lastDelivery: z
      .object({
        id: z.string().describe("The subscription's id"),
        event: z.string().describe("The event's name"),
        status: z.enum(deliveryStatuses).describe("Where it stands"),
        statusCode: z.int().nullable().describe("The status of the receiver's last answer; null without one"),
        attemptedAt: timestamp.describe("When it was attempted"),
      })
      .nullable()
      .describe("The delivery that was attempted last; null before the first attempt"),
  })
  .meta({ id: "WebhookSubscription" });

export const delivery = z
  .object({
    id: z.string().describe("The delivery's id: the receiver gets it as `X-Webhook-Id`"),
    event: z.string().describe("The event's name"),
    /** Null for a test event. */
    executionId: z.string().nullable().describe("The run that it tells of; null for a test"),
    status: z.enum(deliveryStatuses).describe("Where it stands"),
    attempts: z.int().describe("How often it was sent"),
    createdAt: timestamp.describe("When it was made"),
    lastAttemptAt: timestamp.nullable().describe("When it was sent last"),
    /** Null if no further attempt is planned. */
    nextAttemptAt: timestamp.nullable().describe("When it is sent next; null when it is not"),
    /** The status of the last response; null if there was none. */
    statusCode: z.int().nullable().describe("The status of the receiver's last answer; null without one"),
    /** The beginning of the last response's body. */
    responseBody: z.string().nullable().describe("The beginning of the receiver's last answer"),
    error: z.string().nullable().describe("Why the last attempt failed"),
    /** The request body, up to 65,536 characters. */
    requestBody: z.string().describe("The body as it is sent; up to 65,536 characters of it"),
  })
  .meta({ id: "WebhookDelivery" });

const tag = "Webhooks";

export const listSubscriptions = endpoint({
  method: "GET",
  path: "/webhooks",
  tag,
  summary: "List webhook subscriptions",
  description: "The newest first.",
  scope: "webhooks:read",
  query: z.object(paging),
  shape: "list",
  status: 200,
  answer: subscription,
});

export const createSubscription = endpoint({
  method: "POST",
  path: "/webhooks",
  tag,
  summary: "Create a webhook subscription",
  description:
    "Events of the workspace's runs are sent to `url`, signed with `secret`, which is made when missing and told in this answer only.",
  scope: "webhooks:write",
  body: z.object({
    url: url.describe("Where events are sent"),
    events: events.describe("Names of the events that are sent"),
    secret: secret.nullish().describe("Signs what is sent; made when missing, told only when the subscription is made"),
    active: active.optional().default(true).describe("Whether it is in force"),
  }),
  bodyRequired: true,
  shape: "data",
  status: 201,
  answer: subscription.extend({
    secret: z.string().describe("Signs what is sent; made when missing, told only when the subscription is made"),
  }),
});

export const readSubscription = endpoint({
  method: "GET",
  path: "/webhooks/:id",
  tag,
  summary: "Read a webhook subscription",
  scope: "webhooks:read",
  params: idParams("subscription"),
  shape: "data",
  status: 200,
  answer: subscription,
});

export const updateSubscription = endpoint({
  method: "PATCH",
  path: "/webhooks/:id",
  tag,
  summary: "Change a webhook subscription",
  description: "Only the fields sent change. What is still to be sent is signed with the new secret.",
  scope: "webhooks:write",
  params: idParams("subscription"),
  body: z.object({
    url: url.optional().describe("Where events are sent"),
    events: events.optional().describe("Names of the events that are sent"),
    secret: secret
      .optional()
      .describe("At least 24 bytes; of one that begins with `whsec_`, those that its base64 stands for"),
    active: active.optional().describe("Whether it is in force"),
  }),
  shape: "data",
  status: 200,
  answer: subscription,
});

export const deleteSubscription = endpoint({
  method: "DELETE",
  path: "/webhooks/:id",
  tag,
  summary: "Delete a webhook subscription",
  description: "Its deliveries go with it; those that are still to be sent are not.",
  scope: "webhooks:write",
  params: idParams("subscription"),
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const testSubscription = endpoint({
  method: "POST",
  path: "/webhooks/:id/test",
  tag,
  summary: "Send a test event",
  description: "Sends one event that carries `test: true`, once, and answers with what became of it.",
  scope: "webhooks:write",
  params: idParams("subscription"),
  shape: "data",
  status: 200,
  answer: delivery,
});

export const listDeliveries = endpoint({
  method: "GET",
  path: "/webhooks/:id/deliveries",
  tag,
  summary: "List deliveries",
  description: "The newest first; kept for 30 days.",
  scope: "webhooks:read",
  params: idParams("subscription"),
  query: z.object({ ...paging, status: oneOf("status", deliveryStatuses).optional().describe("Where it stands") }),
  shape: "list",
  status: 200,
  answer: delivery,
});

const deliveryParams = z.object({
  id: z.string().describe("The subscription's id"),
  deliveryId: z.string().describe("The delivery's id"),
});

export const readDelivery = endpoint({
  method: "GET",
  path: "/webhooks/:id/deliveries/:deliveryId",
  tag,
  summary: "Read a delivery",
  description: "What was sent, what the receiver answered last, and when it is tried again.",
  scope: "webhooks:read",
  params: deliveryParams,
  shape: "data",
  status: 200,
  answer: delivery,
});

export const redeliver = endpoint({
  method: "POST",
  path: "/webhooks/:id/deliveries/:deliveryId/redeliver",
  tag,
  summary: "Resend a delivery",
  description: "The same delivery, under the same id, at once, and with all its retries before it.",
  scope: "webhooks:write",
  params: deliveryParams,
  shape: "data",
  status: 200,
  answer: delivery,
});

export type ShownSubscription = z.output<typeof subscription>;
export type ShownDelivery = z.output<typeof delivery>;
export type NewSubscription = z.output<(typeof createSubscription)["body"]>;
export type SubscriptionChanges = z.output<(typeof updateSubscription)["body"]>;
