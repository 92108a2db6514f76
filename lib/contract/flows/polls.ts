import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

/** How the looks of a trigger that looks for items went. */
export const pollState = z
  .object({
    polledAt: timestamp.nullable().describe("When it last looked; null before the first time"),
    nextAt: timestamp.describe("When it looks next"),
    items: z.int().nullable().describe("How many items it found when it last succeeded; null before that"),
    failures: z.int().describe("How many looks have failed in a row"),
    error: z
      .string()
      .nullable()
      .describe("Why the last look failed, or could not start all its runs yet; null when it went well"),
  })
  .meta({ id: "PollState" });

export const pollNow = endpoint({
  method: "POST",
  path: "/flows/:id/poll",
  tag: "Flows",
  summary: "Poll now",
  description:
    "Has an active flow whose trigger is `poll`, `rss` or `mail` look within a second or two instead of when it is due, also while it waits longer after looks that failed. The answer is the state before that look; `GET /flows/:id` shows what came of it. 409 where the flow is not active, or its trigger does not look for items.",
  scope: "flows:execute",
  params: idParams("flow"),
  shape: "data",
  status: 202,
  answer: pollState,
});
