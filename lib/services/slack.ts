import { z } from "zod";
import { answer, flag, integer, list, listOf, someFlag, someText, text } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (method: string) => `https://docs.slack.dev/reference/methods/${method}`;
const channel = text("Channel", "The channel's id, such as C0123456789.");
const cursor = "$response.body.response_metadata?.next_cursor";
const limit = integer("Limit", "The page size. Default: the service's.", 1_000).optional();

/** https://docs.slack.dev/reference/methods: errors have status 200 too, with `ok: false`. */
export const slack = defineService({
  id: "slack",
  name: "Slack",
  icon: { letters: "Sl", color: "#4a154b" },
  description: "Messages, channels, people and reactions of a Slack workspace.",
  baseUrl: "https://slack.com/api",
  credentials: [
    { type: "bearer", help: "A bot token (xoxb-…), from “OAuth & Permissions” of your app." },
    {
      type: "oauth2",
      help: "Your own app, with the scopes that its operations need.",
      authorizationUrl: "https://slack.com/oauth/v2/authorize",
      tokenUrl: "https://slack.com/api/oauth.v2.access",
      scopes: "chat:write channels:read channels:history channels:manage reactions:write users:read users:read.email",
    },
  ],
  refusal: (body) => {
    const { ok, error } = (body ?? {}) as { ok?: unknown; error?: unknown };
    return ok === false ? String(error ?? "unknown_error") : null;
  },
  operations: () => [
    {
      id: "send-message",
      name: "Send a message",
      method: "POST",
      path: "/chat.postMessage",
      body: z.object({
        channel: text("Channel", "A channel's id or name, or a person's id."),
        text: text("Text", "The message, in Slack's mrkdwn; with blocks, what notifications show.").optional(),
        blocks: list("Blocks", "A layout of blocks, instead of the text.").optional(),
        thread_ts: text("Thread", "The `ts` of the message to answer in a thread.").optional(),
        reply_broadcast: flag("Also to channel", "Shows an answer in a thread in the channel too.").optional(),
        unfurl_links: flag("Unfurl links", "Shows previews of links.").optional(),
      }),
      answer: answer({ ok: someFlag, channel: someText, ts: someText, message: answer({ text: someText }) }),
      docs: docs("chat.postMessage"),
    },
    {
      id: "update-message",
      name: "Update a message",
      method: "POST",
      path: "/chat.update",
      body: z.object({
        channel,
        ts: text("Message", "The `ts` of the message."),
        text: text("Text", "The new text.").optional(),
        blocks: list("Blocks", "A new layout of blocks.").optional(),
      }),
      answer: answer({ ok: someFlag, channel: someText, ts: someText, text: someText }),
      docs: docs("chat.update"),
    },
    {
      id: "delete-message",
      name: "Delete a message",
      method: "POST",
      path: "/chat.delete",
      body: z.object({ channel, ts: text("Message", "The `ts` of the message.") }),
      answer: answer({ ok: someFlag, channel: someText, ts: someText }),
      docs: docs("chat.delete"),
    },
    {
      id: "add-reaction",
      name: "Add a reaction",
      method: "POST",
      path: "/reactions.add",
      body: z.object({
        channel,
        timestamp: text("Message", "The `ts` of the message."),
        name: text("Emoji", "Its name without colons, such as thumbsup."),
      }),
      answer: answer({ ok: someFlag }),
      docs: docs("reactions.add"),
    },
    {
      id: "list-channels",
      name: "List channels",
      method: "GET",
      path: "/conversations.list",
      parameters: z.object({
        types: text("Types", "Comma-separated: public_channel, private_channel, mpim, im.").optional(),
        exclude_archived: flag("Without archived", "Leaves archived channels out.").optional(),
        limit,
      }),
      answer: answer({ ok: someFlag, channels: listOf({ id: someText, name: someText, is_private: someFlag }) }),
      pages: { cursor, parameter: "cursor", items: "$response.body.channels" },
      docs: docs("conversations.list"),
    },
    {
      id: "create-channel",
      name: "Create a channel",
      method: "POST",
      path: "/conversations.create",
      body: z.object({
        name: text("Name", "Lowercase letters, digits, - and _, at most 80."),
        is_private: flag("Private", "Only people who are invited see it.").optional(),
      }),
      answer: answer({ ok: someFlag, channel: answer({ id: someText, name: someText }) }),
      docs: docs("conversations.create"),
    },
    {
      id: "invite-to-channel",
      name: "Invite people to a channel",
      method: "POST",
      path: "/conversations.invite",
      body: z.object({ channel, users: text("People", "Their ids, comma-separated.") }),
      answer: answer({ ok: someFlag, channel: answer({ id: someText, name: someText }) }),
      docs: docs("conversations.invite"),
    },
    {
      id: "read-history",
      name: "Read a channel's messages",
      method: "GET",
      path: "/conversations.history",
      parameters: z.object({
        channel,
        oldest: text("Since", "Only messages after this `ts`.").optional(),
        latest: text("Until", "Only messages before this `ts`.").optional(),
        limit,
      }),
      answer: answer({ ok: someFlag, messages: listOf({ ts: someText, user: someText, text: someText }) }),
      pages: { cursor, parameter: "cursor", items: "$response.body.messages" },
      docs: docs("conversations.history"),
    },
    {
      id: "find-person-by-email",
      name: "Find a person by email",
      method: "GET",
      path: "/users.lookupByEmail",
      parameters: z.object({ email: text("Email", "The address of a member's account.") }),
      answer: answer({ ok: someFlag, user: answer({ id: someText, name: someText, real_name: someText }) }),
      docs: docs("users.lookupByEmail"),
    },
    {
      id: "list-people",
      name: "List people",
      method: "GET",
      path: "/users.list",
      parameters: z.object({ limit }),
      answer: answer({ ok: someFlag, members: listOf({ id: someText, name: someText, deleted: someFlag }) }),
      pages: { cursor, parameter: "cursor", items: "$response.body.members" },
      docs: docs("users.list"),
    },
  ],
});
