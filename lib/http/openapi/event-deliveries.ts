import { z } from "zod";
import type { ZodOpenApiPathItemObject } from "zod-openapi";
import { firedAlert } from "#lib/contract/alerts.ts";
import { alertEvent } from "#lib/contract/event-names.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { executionEvent } from "#lib/contract/webhooks.ts";

const header = (description: string) => z.string().describe(description);

const alertDelivered = z
  .object({
    event: z.literal(alertEvent).describe("Always `alert.fired`"),
    timestamp: timestamp.describe("When it happened"),
    data: firedAlert.describe("The alert"),
    test: z.literal(true).optional().describe("True for a test event"),
  })
  .meta({ id: "AlertEvent" });

/** The requests that subscribers receive. OpenAPI calls requests made by a service `webhooks`. */
export const eventDeliveries: Record<string, ZodOpenApiPathItemObject> = {
  executionEvent: {
    post: {
      operationId: "receiveExecutionEvent",
      tags: ["Webhooks"],
      summary: "Receive an event",
      description:
        "Sent to the `url` of a subscription. Any status from 200 to 299 within 10 seconds is taken as received; all else is tried again.",
      requestParams: {
        header: z.object({
          "X-Webhook-Event": header("The event's name, as it was subscribed to"),
          "X-Webhook-Id": header("One a delivery, the same through its retries"),
          "X-Webhook-Timestamp": header("When this attempt was made, in Unix seconds"),
          "X-Webhook-Signature": header("Hex HMAC-SHA256 of the body, keyed with the whole secret as text"),
          "webhook-id": header("The same id, by Standard Webhooks"),
          "webhook-timestamp": header("The same time, by Standard Webhooks"),
          "webhook-signature": header("The signature by Standard Webhooks: of id, time and body"),
        }),
      },
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: z.discriminatedUnion("event", [executionEvent, alertDelivered]),
            example: {
              event: "execution.completed",
              timestamp: "2026-01-31T10:30:00.842Z",
              data: {
                executionId: "exec_01kad7c9p2f6atqxv3m0wz8y5n",
                flowId: "flow_01kad6w1m4e8tvm8d9fqzc4x2r",
                flowName: "Order intake",
                status: "completed",
                duration: 842,
                output: { total: 42.5 },
              },
            },
          },
        },
      },
      responses: { "2XX": { description: "Received" }, 410: { description: "Makes the subscription inactive" } },
    },
  },
};
