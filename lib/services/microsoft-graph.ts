import { z } from "zod";
import { answer, choice, flag, integer, listOf, nothing, someObject, someText, text, texts } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://learn.microsoft.com/en-us/graph/api/${place}`;
const contentType = choice("Format", "How the text is written.", ["text", "html"]).default("text");
const body = text("Text", "The message.");
const top = integer("Limit", "The page size, up to 999.", 999).optional();
const pages = { next: "$response.body['@odata.nextLink']", items: "$response.body.value" };
const listed = (fields: z.ZodRawShape) => answer({ value: listOf(fields) });
const to = (addresses: unknown) =>
  (Array.isArray(addresses) ? addresses : []).map((address: unknown) => ({ emailAddress: { address } }));
const team = text("Team", "The team's id.");
const channel = text("Channel", "The channel's id.");
const message = text("Mail", "The mail's id.");

/** https://learn.microsoft.com/en-us/graph/api/overview, version 1.0: mail, calendar and Teams. */
export const microsoftGraph = defineService({
  id: "microsoft-graph",
  name: "Microsoft Graph",
  icon: { letters: "MS", color: "#0f6cbd" },
  description: "Outlook mail and calendar, and Teams messages, of a Microsoft 365 account.",
  baseUrl: "https://graph.microsoft.com/v1.0",
  credentials: [
    {
      type: "oauth2",
      help: "Your own app registration in Microsoft Entra, with delegated permissions.",
      authorizationUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
      tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      scopes:
        "offline_access Mail.ReadWrite Mail.Send Calendars.ReadWrite ChannelMessage.Send Chat.ReadWrite Team.ReadBasic.All Channel.ReadBasic.All",
    },
    { type: "bearer", help: "An access token, for testing: it expires within an hour." },
  ],
  operations: () => [
    {
      id: "send-mail",
      name: "Send a mail",
      method: "POST",
      path: "/me/sendMail",
      body: z.object({
        to: texts("To", "Addresses."),
        cc: texts("Cc", "Addresses.").optional(),
        subject: text("Subject", "What it is about."),
        content: body,
        contentType,
        saveToSentItems: flag("Keep", "Keeps it among the sent mails.").default(true),
      }),
      send: ({ body: given }) => ({
        message: {
          subject: given.subject,
          body: { contentType: given.contentType, content: given.content },
          toRecipients: to(given.to),
          ...(given.cc === undefined ? {} : { ccRecipients: to(given.cc) }),
        },
        saveToSentItems: given.saveToSentItems,
      }),
      answer: nothing,
      docs: docs("user-sendmail"),
    },
    {
      id: "find-mails",
      name: "Find mails",
      method: "GET",
      path: "/me/messages",
      parameters: z.object({
        $filter: text("Filter", "Such as isRead eq false.").optional(),
        $search: text("Search", 'Words between quotes, such as "invoice".').optional(),
        $select: text("Fields", "Comma-separated names.").optional(),
        $top: top,
      }),
      answer: listed({ id: someText, subject: someText, from: someObject, bodyPreview: someText }),
      pages,
      docs: docs("user-list-messages"),
    },
    {
      id: "read-mail",
      name: "Read a mail",
      method: "GET",
      path: "/me/messages/{id}",
      parameters: z.object({ id: message }),
      answer: answer({ id: someText, subject: someText, body: someObject, from: someObject }),
      docs: docs("message-get"),
    },
    {
      id: "reply-mail",
      name: "Answer a mail",
      method: "POST",
      path: "/me/messages/{id}/reply",
      parameters: z.object({ id: message }),
      body: z.object({ comment: text("Text", "The answer.") }),
      answer: nothing,
      docs: docs("message-reply"),
    },
    {
      id: "create-event",
      name: "Create an event",
      method: "POST",
      path: "/me/events",
      body: z.object({
        subject: text("Title", "What the event is called."),
        start: text("Start", "A local time such as 2026-01-31T10:00:00."),
        end: text("End", "A local time such as 2026-01-31T11:00:00."),
        timeZone: text("Time zone", "Such as Europe/Berlin.").default("UTC"),
        content: text("Text", "Details.").optional(),
        attendees: texts("Guests", "Addresses.").optional(),
      }),
      send: ({ body: { subject, start, end, timeZone, content, attendees } }) => ({
        subject,
        start: { dateTime: start, timeZone },
        end: { dateTime: end, timeZone },
        ...(content === undefined ? {} : { body: { contentType: "text", content } }),
        ...(attendees === undefined
          ? {}
          : { attendees: to(attendees).map((guest) => ({ ...guest, type: "required" })) }),
      }),
      answer: answer({ id: someText, webLink: someText }),
      docs: docs("user-post-events"),
    },
    {
      id: "send-channel-message",
      name: "Send a message to a Teams channel",
      method: "POST",
      path: "/teams/{teamId}/channels/{channelId}/messages",
      parameters: z.object({ teamId: team, channelId: channel }),
      body: z.object({ content: body, contentType }),
      send: ({ body: given }) => ({ body: { contentType: given.contentType, content: given.content } }),
      answer: answer({ id: someText, webUrl: someText }),
      docs: docs("channel-post-messages"),
    },
    {
      id: "send-chat-message",
      name: "Send a message to a Teams chat",
      method: "POST",
      path: "/chats/{chatId}/messages",
      parameters: z.object({ chatId: text("Chat", "The chat's id.") }),
      body: z.object({ content: body, contentType }),
      send: ({ body: given }) => ({ body: { contentType: given.contentType, content: given.content } }),
      answer: answer({ id: someText }),
      docs: docs("chat-post-messages"),
    },
    {
      id: "list-teams",
      name: "List teams",
      method: "GET",
      path: "/me/joinedTeams",
      answer: listed({ id: someText, displayName: someText }),
      pages,
      docs: docs("user-list-joinedteams"),
    },
    {
      id: "list-channels",
      name: "List a team's channels",
      method: "GET",
      path: "/teams/{teamId}/channels",
      parameters: z.object({ teamId: team }),
      answer: listed({ id: someText, displayName: someText }),
      pages,
      docs: docs("channel-list"),
    },
  ],
});
