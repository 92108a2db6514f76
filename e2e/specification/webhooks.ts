import type { Section } from "./section.ts";

export const webhooks: Section = {
  create: [
    "201 with the subscription, and its secret this once",
    "webhooks > a new subscription > is answered with all its fields, and with its secret this once",
  ],
  "secret-made": ["A missing secret is made", "webhooks > a new subscription > gets a secret when it brings none"],
  record: [
    "A record has id, url, events, active, createdAt, updatedAt and lastDelivery",
    "webhooks > a new subscription > is answered with all its fields, and with its secret this once",
  ],
  list: ["The list has pages", "webhooks > subscriptions > are listed in pages, the newest first"],
  change: [
    "`PATCH /webhooks/:id` changes what is sent",
    "webhooks > subscriptions > change in the fields that are sent",
  ],
  delete: ["204, and the subscription is gone", "webhooks > subscriptions > are gone once deleted"],
  invalid: ["A wrong field is 400", "webhooks > a new subscription > is refused for %s %j"],
  "unknown-event": [
    "An unknown event is 400",
    "webhooks > a new subscription > is refused for an unknown event, which the details name",
  ],
  missing: ["A missing subscription is 404", "webhooks > subscriptions > that do not exist are not found: %s %s"],
  test: [
    "`POST /webhooks/:id/test` sends one event and tells what became of it",
    "webhook-deliveries > a test event > is sent once, says that it is one, and answers with what became of it",
  ],
  deliveries: [
    "`GET /webhooks/:id/deliveries` has pages",
    "webhook-deliveries > the log of deliveries > has pages, the newest first, and a filter",
  ],
  redeliver: [
    "A delivery can be sent again under its id",
    "webhook-deliveries > the log of deliveries > lets a delivery be sent again, under its id",
  ],
  "shared-path": [
    "The id's prefix tells a trigger URL from a subscription, whatever the method",
    "webhooks > subscriptions > take no other methods, and are told to nobody without a key",
    "trigger-urls > who may call > %s, when that is the configured method, and no other",
  ],
};
