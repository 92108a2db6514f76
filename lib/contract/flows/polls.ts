import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

/** How the looks of a trigger that looks for items went. */
export const pollState = z
  .object({
    polledAt: timestamp.nullable(),
    nextAt: timestamp,
    items: z.int().nullable(),
    failures: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: "PollState" });

export const pollNow = endpoint({
  method: "POST",
  path: "/flows/:id/poll",
  tag: "Flows",
  summary: "Look for items now",
  description:
    "Has an active flow whose trigger is `poll` or `rss` look within a second or two instead of when it is due, also while it waits longer after looks that failed. The answer is the state before that look; `GET /flows/:id` shows what came of it. 409 where the flow is not active, or its trigger does not look for items.",
  scope: "flows:execute",
  params: idParams,
  shape: "data",
  status: 202,
  answer: pollState,
});
