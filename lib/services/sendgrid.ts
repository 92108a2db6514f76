import { z } from "zod";
import { answer, integer, list, listOf, nothing, object, someNumber, someText, text, texts } from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://www.twilio.com/docs/sendgrid/api-reference/${place}`;
const limit = integer("Limit", "The page size.").optional();

/** `Ann <ann@example.com>` or a plain address. */
function person(written: unknown): { email: string; name?: string } {
  const text = String(written).trim();
  const open = text.lastIndexOf("<");
  if (open === -1 || !text.endsWith(">")) return { email: text };
  const email = text.slice(open + 1, -1).trim();
  const name = text.slice(0, open).trim().replace(/^"|"$/g, "");
  return name === "" ? { email } : { email, name };
}

const people = (written: unknown) => (Array.isArray(written) ? written : []).map(person);

/** https://www.twilio.com/docs/sendgrid/api-reference, version 3. */
export const sendgrid = defineService({
  id: "sendgrid",
  name: "SendGrid",
  icon: { letters: "Sg", color: "#1277a8" },
  description: "Mails and contacts of a SendGrid account.",
  baseUrl: "https://api.sendgrid.com/v3",
  credentials: [{ type: "bearer", help: "An API key (SG.…) that may send mail." }],
  operations: () => [
    {
      id: "send-mail",
      name: "Send a mail",
      method: "POST",
      path: "/mail/send",
      body: z.object({
        from: text("From", "A verified sender: Shop <shop@example.com>."),
        to: texts("To", "Addresses, also as Ann <ann@example.com>."),
        cc: texts("Cc", "Addresses.").optional(),
        bcc: texts("Bcc", "Addresses.").optional(),
        subject: text("Subject", "What it is about."),
        text: text("Text", "The body as plain text.").optional(),
        html: text("HTML", "The body as HTML.").optional(),
        replyTo: text("Answer to", "Where answers go.").optional(),
      }),
      send: ({ body: { from, to, cc, bcc, subject, text, html, replyTo } }) => ({
        personalizations: [
          {
            to: people(to),
            ...(cc === undefined ? {} : { cc: people(cc) }),
            ...(bcc === undefined ? {} : { bcc: people(bcc) }),
          },
        ],
        from: person(from),
        ...(replyTo === undefined ? {} : { reply_to: person(replyTo) }),
        subject,
        content: [
          ...(text === undefined ? [] : [{ type: "text/plain", value: text }]),
          ...(html === undefined ? [] : [{ type: "text/html", value: html }]),
        ],
      }),
      answer: nothing,
      docs: docs("mail-send/mail-send"),
    },
    {
      id: "send-template",
      name: "Send a template",
      method: "POST",
      path: "/mail/send",
      body: z.object({
        from: text("From", "A verified sender: Shop <shop@example.com>."),
        to: texts("To", "Addresses."),
        template_id: text("Template", "The template's id (d-…)."),
        data: object("Data", "The template's values by name.").optional(),
      }),
      send: ({ body: { from, to, template_id, data } }) => ({
        personalizations: [{ to: people(to), ...(data === undefined ? {} : { dynamic_template_data: data }) }],
        from: person(from),
        template_id,
      }),
      answer: nothing,
      docs: docs("mail-send/mail-send"),
    },
    {
      id: "upsert-contacts",
      name: "Add or update contacts",
      method: "PUT",
      path: "/marketing/contacts",
      body: z.object({
        contacts: list("Contacts", 'Such as [{"email": "ann@example.com", "first_name": "Ann"}].'),
        list_ids: texts("Lists", "Ids of lists to put them into.").optional(),
      }),
      answer: answer({ job_id: someText }),
      docs: docs("contacts/add-or-update-a-contact"),
    },
    {
      id: "find-contacts",
      name: "Find contacts by email",
      method: "POST",
      path: "/marketing/contacts/search/emails",
      body: z.object({ emails: texts("Emails", "Up to 100 addresses.") }),
      reads: true,
      answer: answer({ result: object("Contacts", "By address.") }),
      docs: docs("contacts/get-contacts-by-emails"),
    },
    {
      id: "list-lists",
      name: "List contact lists",
      method: "GET",
      path: "/marketing/lists",
      parameters: z.object({ page_size: limit }),
      answer: answer({ result: listOf({ id: someText, name: someText, contact_count: someNumber }) }),
      pages: { next: "$response.body._metadata?.next", items: "$response.body.result" },
      docs: docs("lists/get-all-lists"),
    },
    {
      id: "list-bounces",
      name: "List bounces",
      method: "GET",
      path: "/suppression/bounces",
      parameters: z.object({
        start_time: integer("From", "Seconds since 1970.").optional(),
        end_time: integer("Until", "Seconds since 1970.").optional(),
        limit: integer("Limit", "The page size, up to 500.", 500).default(500),
      }),
      answer: listOf({ email: someText, reason: someText, created: someNumber }),
      pages: { offset: 500, size: "limit", parameter: "offset" },
      docs: docs("bounces-api/retrieve-all-bounces"),
    },
  ],
});
