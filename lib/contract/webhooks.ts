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
    event: z.enum(Object.values(eventAliases).flat()),
    timestamp,
    data: z.object({
      executionId: z.string(),
      flowId: z.string(),
      flowName: z.string(),
      status: z.enum(executionStatuses),
      duration: z.int().nullable(),
      output: z.unknown(),
      draft: z.literal(true).optional().meta({ description: "Of a run of a working copy, or of what it started" }),
    }),
    test: z.literal(true).optional(),
  })
  .meta({ id: "ExecutionEvent" });

export type ExecutionEvent = z.input<typeof executionEvent>;

const active = z.boolean("active must be true or false");

export const subscription = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    active: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
    /** The last attempted delivery; null before the first attempt. */
    lastDelivery: z
      .object({
        id: z.string(),
        event: z.string(),
        status: z.enum(deliveryStatuses),
        statusCode: z.int().nullable(),
        attemptedAt: timestamp,
      })
      .nullable(),
  })
  .meta({ id: "WebhookSubscription" });

export const delivery = z
  .object({
    id: z.string(),
    event: z.string(),
    /** Null for a test event. */
    executionId: z.string().nullable(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    createdAt: timestamp,
    lastAttemptAt: timestamp.nullable(),
    /** Null if no further attempt is planned. */
    nextAttemptAt: timestamp.nullable(),
    /** The status of the last response; null if there was none. */
    statusCode: z.int().nullable(),
    /** The beginning of the last response's body. */
    responseBody: z.string().nullable(),
    error: z.string().nullable(),
    /** The request body, up to 65,536 characters. */
    requestBody: z.string(),
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
  summary: "Subscribe to events",
  description:
    "Events of the workspace's runs are sent to `url`, signed with `secret`, which is made when missing and told in this answer only.",
  scope: "webhooks:write",
  body: z.object({ url, events, secret: secret.nullish(), active: active.optional().default(true) }),
  bodyRequired: true,
  shape: "data",
  status: 201,
  answer: subscription.extend({ secret: z.string() }),
});

export const readSubscription = endpoint({
  method: "GET",
  path: "/webhooks/:id",
  tag,
  summary: "Read a webhook subscription",
  scope: "webhooks:read",
  params: idParams,
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
  params: idParams,
  body: z.object({
    url: url.optional(),
    events: events.optional(),
    secret: secret.optional(),
    active: active.optional(),
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
  params: idParams,
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
  params: idParams,
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
  params: idParams,
  query: z.object({ ...paging, status: oneOf("status", deliveryStatuses).optional() }),
  shape: "list",
  status: 200,
  answer: delivery,
});

const deliveryParams = z.object({ id: z.string(), deliveryId: z.string() });

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
  summary: "Send a delivery again",
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
