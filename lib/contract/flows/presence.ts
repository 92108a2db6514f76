import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowLimits } from "#lib/engine/flow.ts";

/**
 * Times in milliseconds. A tab is present for `lease` after its last request, and sends one every `heartbeat`. The
 * minimum time between two requests of a tab.
 */
export const presenceMs = { lease: 15_000, heartbeat: 5_000, apart: 100 } as const;

/** `tabsOfPersonMax`: over all flows. `selectionBytesMax`: the selection as JSON. */
export const presenceLimits = {
  listedMax: 50,
  tabsOfPersonMax: 20,
  selectedMax: 100,
  selectionBytesMax: 4_000,
  streamsMax: 200,
} as const;

const tag = "Presence";

const tab = z
  .string("tab must be a text")
  .regex(/^[\w-]{8,40}$/, "tab must be 8 to 40 letters, digits, - and _")
  .describe("The client's id: 8 to 40 random letters and digits, new for each visit");

const openLoop = z
  .string("within must be a loop's id")
  .min(1, "within must not be empty")
  .max(flowLimits.nodeIdCharactersMax, `within must have at most ${flowLimits.nodeIdCharactersMax} characters`);

const selectedIds = z
  .array(
    z
      .string("an id must be a text")
      .min(1, "an id must not be empty")
      .max(flowLimits.nodeIdCharactersMax, `an id must have at most ${flowLimits.nodeIdCharactersMax} characters`),
    "selection must be a list of ids",
  )
  .max(presenceLimits.selectedMax, `selection must have at most ${presenceLimits.selectedMax} ids`)
  .refine(
    (ids) => new TextEncoder().encode(JSON.stringify(ids)).length <= presenceLimits.selectionBytesMax,
    `selection must have at most ${presenceLimits.selectionBytesMax} bytes as JSON`,
  );

const person = z.object({
  tab: z.string().describe("The client's id"),
  userId: z.string().describe("The person's id"),
  name: z.string().describe("Their name"),
  selection: z.array(z.string()).describe("Ids of the nodes, notes and groups that are selected there"),
  within: z.string().nullable().describe("Id of the loop whose body is open there; null for the flow's own canvas"),
});

const saved = z.object({
  version: z.int().describe("The current version"),
  updatedAt: timestamp.describe("When it was last changed"),
  revision: z.int().describe("The working copy's revision; 0 without one"),
});

export const presenceEvent = z.object({
  id: z.int().describe("Counts the events of this stream, from 1"),
  event: z.literal("presence").describe("`presence`"),
  data: z
    .object({
      you: z.string().describe("Your own `userId`"),
      people: z.array(person).describe("Tabs that have the flow open, your own included; earliest first"),
      others: z.int().describe(`Tabs beyond the first ${presenceLimits.listedMax}`),
      saved: saved.describe("The state of the stored flow: when it changes, there is something to reload"),
    })
    .meta({ id: "Presence" })
    .describe("Who is in the flow, and what is stored of it"),
});

export type PresenceEvent = z.output<typeof presenceEvent>;

export const streamPresence = endpoint({
  method: "GET",
  path: "/flows/:id/presence",
  tag,
  summary: "Stream who is in a flow",
  description:
    "Server-sent events for people who are signed in: one `presence` event with the whole state when the stream starts, and one after each change. It ends when the flow is deleted. Reading it does not make you present: `PUT` does. A comment is sent every 15 seconds.",
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  shape: "stream",
  answer: presenceEvent,
});

export const enterFlow = endpoint({
  method: "PUT",
  path: "/flows/:id/presence",
  tag,
  summary: "Announce that you are in a flow",
  description: `Makes a tab of yours present for ${presenceMs.lease / 1_000} seconds; repeat it every ${presenceMs.heartbeat / 1_000}. A tab is in one flow. 429 \`RATE_LIMIT_EXCEEDED\` if this tab's last request was less than ${presenceMs.apart} ms ago. A person's ${presenceLimits.tabsOfPersonMax} latest tabs count.`,
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  body: z.object({
    tab,
    selection: selectedIds.optional().default([]).describe("Ids of what is selected"),
    within: openLoop.nullish().describe("Id of the loop whose body is open; null for the flow's own canvas"),
  }),
  shape: "empty",
});

export const leaveFlow = endpoint({
  method: "DELETE",
  path: "/flows/:id/presence",
  tag,
  summary: "Announce that you left a flow",
  description: "Ends the presence of a tab of yours in this flow; without `tab`, of all of them.",
  scope: "flows:read",
  peopleOnly: true,
  params: idParams("flow"),
  query: z.object({
    tab: tab.optional().describe("The client's id: 8 to 40 random letters and digits, new for each visit"),
  }),
  shape: "empty",
});
