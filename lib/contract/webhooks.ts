import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint, idParams } from "./endpoint.ts";
import { eventAliases, eventNames } from "./event-names.ts";
import { executionStatuses } from "./executions/statuses.ts";
import { oneOf, paging, searchText } from "./query.ts";
import { timestamp } from "./timestamp.ts";

export const deliveryStatuses = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Limits of a subscription. */
export const subscriptionLimits = { urlCharactersMax: 2_048, secretCharactersMax: 255 } as const;

const { urlCharactersMax, secretCharactersMax } = subscriptionLimits;

const secretAdvice = "Any text; at least 24 random bytes are advisable";

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
  .min(1, "secret must not be empty")
  .max(secretCharactersMax, `secret must have at most ${secretCharactersMax} characters`)
  .refine(isStorableText, "secret must not contain U+0000 or unpaired surrogates")
  .meta({ description: secretAdvice });

/** What subscriptions are sent when a run changes its state. */
export const executionEvent = z
  .object({
    event: z.enum(Object.values(eventAliases).flat()).describe("The name that was subscribed to"),
    timestamp: timestamp.describe("When it happened"),
    data: z
      .object({
        executionId: z.string().describe("The execution's id"),
        flowId: z.string().describe("The flow's id"),
        flowName: z.string().describe("The flow's name"),
        status: z.enum(executionStatuses).describe("Its status"),
        duration: z.int().nullable().describe("Milliseconds; null until it has ended"),
        output: z.unknown().describe("The run's output; null unless it completed"),
        draft: z.literal(true).optional().describe("For a run of a working copy, or of a sub-flow it started"),
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
    url: z.string().describe("The URL to send events to"),
    events: z.array(z.string()).describe("Names of the events to send"),
    active: z.boolean().describe("Whether it is active"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
    /** The last attempted delivery; null before the first attempt. */
    lastDelivery: z
      .object({
        id: z.string().describe("The subscription's id"),
        event: z.string().describe("The event's name"),
        status: z.enum(deliveryStatuses).describe("Its status"),
        statusCode: z.int().nullable().describe("The status of the receiver's last answer; null without one"),
        attemptedAt: timestamp.describe("When it was attempted"),
      })
      .nullable()
      .describe("The delivery attempted last; null before the first attempt"),
  })
  .meta({ id: "WebhookSubscription" });

export const delivery = z
  .object({
    id: z.string().describe("The delivery's id: the receiver gets it as `X-Webhook-Id`"),
    event: z.string().describe("The event's name"),
    executionId: z.string().nullable().describe("The run it is about; null for a test"),
    status: z.enum(deliveryStatuses).describe("Its status"),
    attempts: z.int().describe("How many times it was sent"),
    createdAt: timestamp.describe("When it was created"),
    lastAttemptAt: timestamp.nullable().describe("When it was last sent"),
    nextAttemptAt: timestamp.nullable().describe("When it is sent next; null if never"),
    statusCode: z.int().nullable().describe("The status of the receiver's last answer; null without one"),
    responseBody: z.string().nullable().describe("The start of the receiver's last answer"),
    error: z.string().nullable().describe("Why the last attempt failed"),
    requestBody: z.string().describe("The body as sent; up to 65,536 characters of it"),
  })
  .meta({ id: "WebhookDelivery" });

const tag = "Webhooks";

export const listSubscriptions = endpoint({
  method: "GET",
  path: "/webhooks",
  tag,
  summary: "List webhook subscriptions",
  description: "Newest first.",
  scope: "webhooks:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional().describe("Part of the URL, in any case"),
  }),
  shape: "list",
  answer: subscription,
});

export const createSubscription = endpoint({
  method: "POST",
  path: "/webhooks",
  tag,
  summary: "Create a webhook subscription",
  description:
    "Events of the workspace's runs are sent to `url`, signed with `secret`, which is generated if omitted and returned in this answer only.",
  scope: "webhooks:write",
  body: z.object({
    url: url.describe("The URL to send events to"),
    events: events.describe("Names of the events to send"),
    secret: secret
      .nullish()
      .describe("Signs deliveries; generated if omitted, returned only when the subscription is created"),
    active: active.optional().default(true).describe("Whether it is active"),
  }),
  bodyRequired: true,
  status: 201,
  answer: subscription.extend({
    secret: z
      .string()
      .describe("Signs deliveries; generated if omitted, returned only when the subscription is created"),
  }),
});

export const readSubscription = endpoint({
  method: "GET",
  path: "/webhooks/:id",
  tag,
  summary: "Read a webhook subscription",
  description: "Without its secret, which is returned only when it is generated.",
  scope: "webhooks:read",
  params: idParams("subscription"),
  answer: subscription,
});

export const updateSubscription = endpoint({
  method: "PATCH",
  path: "/webhooks/:id",
  tag,
  summary: "Change a webhook subscription",
  description:
    "Only the fields sent change. Pending deliveries are signed with the new secret, and sent to a new URL at once, with all retries.",
  scope: "webhooks:write",
  params: idParams("subscription"),
  body: z.object({
    url: url.optional().describe("The URL to send events to"),
    events: events.optional().describe("Names of the events to send"),
    secret: secret.optional().describe(secretAdvice),
    active: active.optional().describe("Whether it is active"),
  }),
  answer: subscription,
});

export const deleteSubscription = endpoint({
  method: "DELETE",
  path: "/webhooks/:id",
  tag,
  summary: "Delete a webhook subscription",
  description: "Its deliveries are deleted with it; pending ones are not sent.",
  scope: "webhooks:write",
  params: idParams("subscription"),
  shape: "empty",
});

export const testSubscription = endpoint({
  method: "POST",
  path: "/webhooks/:id/test",
  tag,
  summary: "Send a test event",
  description: "Sends one event with `test: true`, once, and returns the result.",
  scope: "webhooks:write",
  params: idParams("subscription"),
  answer: delivery,
});

export const listDeliveries = endpoint({
  method: "GET",
  path: "/webhooks/:id/deliveries",
  tag,
  summary: "List deliveries",
  description: "Newest first; kept for 30 days.",
  scope: "webhooks:read",
  params: idParams("subscription"),
  query: z.object({ ...paging, status: oneOf("status", deliveryStatuses).optional().describe("Its status") }),
  shape: "list",
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
  description: "What was sent, the receiver's last answer, and when it is retried.",
  scope: "webhooks:read",
  params: deliveryParams,
  answer: delivery,
});

export const redeliver = endpoint({
  method: "POST",
  path: "/webhooks/:id/deliveries/:deliveryId/redeliver",
  tag,
  summary: "Resend a delivery",
  description: "Sends the same delivery at once, with the same id and a full set of retries.",
  scope: "webhooks:write",
  params: deliveryParams,
  answer: delivery,
});

export type ShownSubscription = z.output<typeof subscription>;
export type ShownDelivery = z.output<typeof delivery>;
export type NewSubscription = z.output<(typeof createSubscription)["body"]>;
export type SubscriptionChanges = z.output<(typeof updateSubscription)["body"]>;
