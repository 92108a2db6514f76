import type { Section } from "./section.ts";

export const events: Section = {
  "started-completed": [
    "A run tells its start, and its completion",
    "execution-events > a run tells > its start and its end, in this order",
  ],
  failed: ["Failure and timeout emit execution.failed", "execution-events > a run tells > its failure: %s"],
  cancelled: [
    "A cancellation emits execution.cancelled",
    "execution-events > a run tells > its cancellation, by whatever way",
  ],
  aliases: [
    "`execution.X` and `flow.execution.X` are aliases, told under the name subscribed to",
    "execution-events > a run tells > its start and its cancellation under the names of flows too",
    "execution-events > a run tells > one event to a subscription that knows it by both names, and each subscription by its own",
  ],
  payload: [
    "The payload has event, timestamp and data with the execution, its flow, status, duration and output",
    "webhook-deliveries > a delivery > carries the event, signed so that receivers of either kind accept it",
  ],
  post: [
    "It is an HTTP POST to the subscribed URL",
    "webhook-deliveries > a delivery > carries the event, signed so that receivers of either kind accept it",
  ],
  signature: [
    "`X-Webhook-Signature` is the hex HMAC-SHA256 of the body's bytes, keyed with the secret's UTF-8 bytes",
    "lib/webhooks/sign-delivery.test.ts > X-Webhook-Signature is the HMAC of the body, keyed with the characters of %s",
  ],
  recomputed: [
    "A receiver that serializes the parsed payload again comes to the same signature",
    "webhook-deliveries > a delivery > carries the event, signed so that receivers of either kind accept it",
  ],
  headers: [
    "X-Webhook-Id, -Timestamp and -Event, and the Standard Webhooks headers with the same id",
    "lib/webhooks/sign-delivery.test.ts > both families of headers tell the same id, time and event",
  ],
  "standard-webhooks": [
    "A `whsec_` secret keys with its decoded base64, another with its UTF-8 bytes",
    "lib/webhooks/sign-delivery.test.ts > a receiver of the Standard Webhooks specification accepts what is signed with a made secret",
    "lib/webhooks/sign-delivery.test.ts > a receiver that keys with the characters of %j accepts",
  ],
  "same-id": [
    "The id is one a delivery, the same through its retries",
    "webhook-deliveries > a delivery > keeps its id and its bytes when it is tried again, five seconds later",
  ],
  "in-order": [
    "In order for each execution",
    "execution-events > events come in order and once > when the first is refused: the second waits for it",
  ],
  "at-least-once": [
    "At least once, also when the server is killed",
    "events-of-a-server > a killed server loses no event",
  ],
  "time-limit": [
    "10 s to answer",
    "webhook-deliveries > a delivery > that is not answered within 10 s has failed, and delays no other receiver",
  ],
  success: ["Any 2xx is success", "webhook-deliveries > a delivery > answered with %i has been made"],
  redirects: ["Redirects are not followed", "webhook-deliveries > a delivery > answered with %s is tried again"],
  retries: [
    "Retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h, then failed",
    "lib/webhooks/retry-schedule.test.ts > retries come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 14 h, and then no more",
    "lib/webhooks/deliveries.test.ts > a delivery > is tried eight times on the schedule, and then it has failed",
  ],
  "410": [
    "A 410 makes the subscription inactive",
    "webhook-deliveries > a delivery > answered with 410 switches the subscription off",
  ],
  "five-days": [
    "Five days of nothing but failures make it inactive",
    "lib/webhooks/deliveries.test.ts > a subscription is switched off > by five days of nothing but failures, and not before",
  ],
  "same-transaction": [
    "Events are written with the state they tell of",
    "lib/webhooks/outbox.test.ts > an event > is written once for a run that two try to end",
    "lib/webhooks/outbox.test.ts > an event > is written with the start and with the end of a run, in the documented form",
  ],
};
