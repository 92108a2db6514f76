import { z } from "zod";
import { answer, integer, listOf, nothing, someText, text, texts } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://www.twilio.com/docs/${place}`;
const AccountSid = text("Account", "The account's SID (AC…).");
const To = text("To", "A number with + and the country code, or whatsapp: before it.");
const From = text("From", "Your own number, with + and the country code.");
const size = integer("Limit", "The page size, up to 1,000.", 1_000).optional();
const sms = answer({ sid: someText, status: someText, to: someText, body: someText });
const call = answer({ sid: someText, status: someText, to: someText });
/** The next page's URL is relative to the host. */
const pagesOf = (items: string) => ({ next: "$response.body.next_page_uri", items: `$response.body.${items}` });
const at = "/2010-04-01/Accounts/{AccountSid}";

/** https://www.twilio.com/docs/usage/api, version 2010-04-01: bodies are forms. */
export const twilio = defineService({
  id: "twilio",
  name: "Twilio",
  icon: { letters: "Tw", color: "#c2283b" },
  description: "Text messages, WhatsApp messages and calls by Twilio.",
  baseUrl: "https://api.twilio.com",
  credentials: [{ type: "basic", help: "The account's SID and its auth token, or an API key's SID (SK…) and secret." }],
  operations: () => [
    {
      id: "send-message",
      name: "Send a message",
      method: "POST",
      path: `${at}/Messages.json`,
      parameters: z.object({ AccountSid }),
      body: z.object({
        To,
        From: From.optional(),
        MessagingServiceSid: text("Messaging service", "Its SID, instead of a number.").optional(),
        Body: text("Text", "Up to 1,600 characters.").optional(),
        MediaUrl: texts("Media", "URLs of pictures.").optional(),
        StatusCallback: text("Status callback", "A URL that Twilio calls as the message's status changes.").optional(),
      }),
      bodyType: "form",
      answer: sms,
      docs: docs("messaging/api/message-resource#create-a-message-resource"),
    },
    {
      id: "read-message",
      name: "Read a message",
      method: "GET",
      path: `${at}/Messages/{Sid}.json`,
      parameters: z.object({ AccountSid, Sid: text("Message", "The message's SID (SM…).") }),
      answer: sms,
      docs: docs("messaging/api/message-resource#fetch-a-message-resource"),
    },
    {
      id: "list-messages",
      name: "List messages",
      method: "GET",
      path: `${at}/Messages.json`,
      parameters: z.object({ AccountSid, To: To.optional(), From: From.optional(), PageSize: size }),
      answer: answer({ messages: listOf({ sid: someText, status: someText, body: someText }) }),
      pages: pagesOf("messages"),
      docs: docs("messaging/api/message-resource#read-multiple-message-resources"),
    },
    {
      id: "delete-message",
      name: "Delete a message",
      method: "DELETE",
      path: `${at}/Messages/{Sid}.json`,
      parameters: z.object({ AccountSid, Sid: text("Message", "The message's SID (SM…).") }),
      answer: nothing,
      docs: docs("messaging/api/message-resource#delete-a-message-resource"),
    },
    {
      id: "call",
      name: "Call a number",
      method: "POST",
      path: `${at}/Calls.json`,
      parameters: z.object({ AccountSid }),
      body: z.object({
        To,
        From,
        Twiml: text("TwiML", "What is said, such as <Response><Say>Hello</Say></Response>.").optional(),
        Url: text("URL", "A URL that answers with TwiML, instead of TwiML.").optional(),
      }),
      bodyType: "form",
      answer: call,
      docs: docs("voice/api/call-resource#create-a-call-resource"),
    },
    {
      id: "list-calls",
      name: "List calls",
      method: "GET",
      path: `${at}/Calls.json`,
      parameters: z.object({ AccountSid, To: To.optional(), From: From.optional(), PageSize: size }),
      answer: answer({ calls: listOf({ sid: someText, status: someText }) }),
      pages: pagesOf("calls"),
      docs: docs("voice/api/call-resource#read-multiple-call-resources"),
    },
  ],
});
