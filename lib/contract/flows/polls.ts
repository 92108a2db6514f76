import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

/** The state of a polling trigger. */
export const pollState = z
  .object({
    polledAt: timestamp.nullable().describe("When it last polled; null before the first time"),
    nextAt: timestamp.describe("When it polls next"),
    items: z.int().nullable().describe("How many items it found when it last succeeded; null before that"),
    failures: z.int().describe("How many polls have failed in a row"),
    error: z
      .string()
      .nullable()
      .describe("Why the last poll failed, or could not start all its runs yet; null if it succeeded"),
  })
  .meta({ id: "PollState" });

export const pollNow = endpoint({
  method: "POST",
  path: "/flows/:id/poll",
  tag: "Flows",
  summary: "Poll now",
  description:
    "Makes an active flow with a `poll`, `rss` or `mail` trigger poll within a second or two instead of when it is due, even while it backs off after failed polls. The answer is the state before that poll; `GET /flows/:id` shows the result. 409 if the flow is not active, or its trigger does not poll.",
  scope: "flows:execute",
  params: idParams("flow"),
  status: 202,
  answer: pollState,
});
