import { z } from "zod";
import { answer, choice, flag, integer, list, listOf, nothing, someText, text, texts } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://discord.com/developers/docs/resources/${place}`;
const channel = text("Channel", "The channel's id.");
const message = text("Message", "The message's id.");
const guild = text("Server", "The server's (guild's) id.");
const user = text("Person", "The person's id.");
const embeds = list("Embeds", "Up to 10 boxes with title, text and fields.").optional();
const shown = answer({ id: someText, channel_id: someText, content: someText });

/** https://discord.com/developers/docs/reference, version 10. */
export const discord = defineService({
  id: "discord",
  name: "Discord",
  icon: { letters: "Di", color: "#5865f2" },
  description: "Messages, reactions, channels and roles of Discord servers.",
  baseUrl: "https://discord.com/api/v10",
  credentials: [
    { type: "header", name: "Authorization", help: "The value is the word Bot, a space, and the token of your bot." },
  ],
  headers: { "user-agent": "DiscordBot (https://millrace.dev, 1)" },
  operations: () => [
    {
      id: "send-message",
      name: "Send a message",
      method: "POST",
      path: "/channels/{channel_id}/messages",
      parameters: z.object({ channel_id: channel }),
      body: z.object({
        content: text("Text", "The message, up to 2,000 characters.").optional(),
        embeds,
        tts: flag("Read aloud", "Has the message read aloud.").optional(),
      }),
      answer: shown,
      docs: docs("message#create-message"),
    },
    {
      id: "update-message",
      name: "Update a message",
      method: "PATCH",
      path: "/channels/{channel_id}/messages/{message_id}",
      parameters: z.object({ channel_id: channel, message_id: message }),
      body: z.object({ content: text("Text", "The new text.").optional(), embeds }),
      answer: shown,
      docs: docs("message#edit-message"),
    },
    {
      id: "delete-message",
      name: "Delete a message",
      method: "DELETE",
      path: "/channels/{channel_id}/messages/{message_id}",
      parameters: z.object({ channel_id: channel, message_id: message }),
      answer: nothing,
      docs: docs("message#delete-message"),
    },
    {
      id: "list-messages",
      name: "List messages",
      method: "GET",
      path: "/channels/{channel_id}/messages",
      parameters: z.object({
        channel_id: channel,
        before: text("Before", "Only those before this message's id.").optional(),
        after: text("After", "Only those after this message's id.").optional(),
        limit: integer("Limit", "How many, up to 100.", 100).optional(),
      }),
      answer: listOf({ id: someText, content: someText }),
      docs: docs("message#get-channel-messages"),
    },
    {
      id: "add-reaction",
      name: "Add a reaction",
      method: "PUT",
      path: "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me",
      parameters: z.object({
        channel_id: channel,
        message_id: message,
        emoji: text("Emoji", "An emoji, or name:id of one of the server's own."),
      }),
      answer: nothing,
      docs: docs("message#create-reaction"),
    },
    {
      id: "create-channel",
      name: "Create a channel",
      method: "POST",
      path: "/guilds/{guild_id}/channels",
      parameters: z.object({ guild_id: guild }),
      body: z.object({
        name: text("Name", "Up to 100 characters."),
        type: integer("Type", "0 is text, 2 voice, 4 a category.").optional(),
        topic: text("Topic", "What it is about.").optional(),
        parent_id: text("Category", "The id of the category that it belongs to.").optional(),
      }),
      answer: answer({ id: someText, name: someText }),
      docs: docs("guild#create-guild-channel"),
    },
    {
      id: "list-members",
      name: "List members",
      method: "GET",
      path: "/guilds/{guild_id}/members",
      parameters: z.object({
        guild_id: guild,
        // Discord's own default is 1.
        limit: integer("Limit", "The page size, up to 1,000.", 1_000).default(100),
      }),
      answer: listOf({ user: answer({ id: someText, username: someText }), roles: texts("Roles", "Ids of roles.") }),
      pages: {
        cursor: "$response.body.length === 0 ? null : $response.body[$response.body.length - 1].user.id",
        parameter: "after",
      },
      docs: docs("guild#list-guild-members"),
    },
    {
      id: "add-role",
      name: "Give a role",
      method: "PUT",
      path: "/guilds/{guild_id}/members/{user_id}/roles/{role_id}",
      parameters: z.object({ guild_id: guild, user_id: user, role_id: text("Role", "The role's id.") }),
      answer: nothing,
      docs: docs("guild#add-guild-member-role"),
    },
    {
      id: "start-thread",
      name: "Start a thread",
      method: "POST",
      path: "/channels/{channel_id}/messages/{message_id}/threads",
      parameters: z.object({ channel_id: channel, message_id: message }),
      body: z.object({
        name: text("Name", "Up to 100 characters."),
        auto_archive_duration: choice("Archive after", "Minutes without activity.", ["60", "1440", "4320", "10080"])
          .transform(Number)
          .optional(),
      }),
      answer: answer({ id: someText, name: someText }),
      docs: docs("channel#start-thread-from-message"),
    },
  ],
});
