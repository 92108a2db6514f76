import { z } from "zod";
import { answer, choice, flag, integer, listOf, shortText, someObject, someText, text, texts } from "./model/fields.ts";
import { googleCredentials } from "./model/google.ts";
import { mailText } from "./model/mail-text.ts";
import { type CallValues, defineService } from "./model/service.ts";

const docs = (place: string) => `https://developers.google.com/workspace/gmail/api/reference/rest/v1/${place}`;
const id = text("Message", "The message's id.");
const addressesMax = 65_536;
const mail = z.object({
  to: shortText("To", "Comma-separated addresses.", addressesMax),
  cc: shortText("Cc", "Comma-separated addresses.", addressesMax).optional(),
  bcc: shortText("Bcc", "Comma-separated addresses.", addressesMax).optional(),
  subject: shortText("Subject", "What it is about.", 998),
  text: text("Text", "The body as plain text.").optional(),
  html: text("HTML", "The body as HTML.").optional(),
  inReplyTo: text("In reply to", "The Message-ID of the mail that it answers.").optional(),
  threadId: text("Thread", "The thread that it belongs to.").optional(),
});
const messageAnswer = answer({ id: someText, threadId: someText, labelIds: z.array(someText) });
const raw = ({ body }: CallValues) => ({
  raw: Buffer.from(mailText({ to: body.to, subject: body.subject, ...body }), "utf8").toString("base64url"),
  ...(body.threadId === undefined ? {} : { threadId: body.threadId }),
});

/** https://developers.google.com/workspace/gmail/api/reference/rest */
export const gmail = defineService({
  id: "gmail",
  name: "Gmail",
  icon: { letters: "Gm", color: "#c5221f" },
  description: "Mails, drafts and labels of a Gmail account.",
  baseUrl: "https://gmail.googleapis.com",
  credentials: googleCredentials("https://www.googleapis.com/auth/gmail.modify"),
  operations: () => [
    {
      id: "send-mail",
      name: "Send a mail",
      method: "POST",
      path: "/gmail/v1/users/me/messages/send",
      body: mail,
      send: raw,
      answer: messageAnswer,
      docs: docs("users.messages/send"),
    },
    {
      id: "create-draft",
      name: "Create a draft",
      method: "POST",
      path: "/gmail/v1/users/me/drafts",
      body: mail,
      send: (values) => ({ message: raw(values) }),
      answer: answer({ id: someText, message: messageAnswer }),
      docs: docs("users.drafts/create"),
    },
    {
      id: "find-mails",
      name: "Find mails",
      method: "GET",
      path: "/gmail/v1/users/me/messages",
      parameters: z.object({
        q: text("Search", "As in Gmail's search box: from:ann is:unread.").optional(),
        labelIds: texts("Labels", "Ids of labels that all mails must have.").optional(),
        maxResults: integer("Limit", "The page size, up to 500.", 500).optional(),
        includeSpamTrash: flag("Spam and trash", "Also searches there.").optional(),
      }),
      answer: answer({ messages: listOf({ id: someText, threadId: someText }), nextPageToken: someText }),
      pages: {
        cursor: "$response.body.nextPageToken",
        parameter: "pageToken",
        items: "$response.body.messages ?? []",
      },
      docs: docs("users.messages/list"),
    },
    {
      id: "read-mail",
      name: "Read a mail",
      method: "GET",
      path: "/gmail/v1/users/me/messages/{id}",
      parameters: z.object({
        id,
        format: choice("Format", "How much of it.", ["full", "metadata", "minimal", "raw"]).optional(),
      }),
      answer: answer({ id: someText, threadId: someText, snippet: someText, payload: someObject }),
      docs: docs("users.messages/get"),
    },
    {
      id: "change-labels",
      name: "Change a mail's labels",
      method: "POST",
      path: "/gmail/v1/users/me/messages/{id}/modify",
      parameters: z.object({ id }),
      body: z.object({
        addLabelIds: texts("Add", "Ids of labels, such as STARRED.").optional(),
        removeLabelIds: texts("Remove", "Ids of labels, such as UNREAD.").optional(),
      }),
      answer: messageAnswer,
      docs: docs("users.messages/modify"),
    },
    {
      id: "trash-mail",
      name: "Move a mail to the trash",
      method: "POST",
      path: "/gmail/v1/users/me/messages/{id}/trash",
      parameters: z.object({ id }),
      answer: messageAnswer,
      docs: docs("users.messages/trash"),
    },
    {
      id: "list-labels",
      name: "List labels",
      method: "GET",
      path: "/gmail/v1/users/me/labels",
      answer: answer({ labels: listOf({ id: someText, name: someText, type: someText }) }),
      docs: docs("users.labels/list"),
    },
  ],
});
