import { z } from "zod";
import { durationInWords } from "#lib/duration.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { defineNode, type MailAnswer, type MailRequest, type NodeContext, NodeFailure } from "../define.ts";
import type { FileReference } from "../files/file-access.ts";
import { delayBeforeRetry, retryPolicy } from "../retries/retry-policy.ts";

const recipientsMax = 100;
const textCharactersMax = 1_048_576;
const attachmentsMax = 20;
/** Few servers accept larger mails. */
const attachedBytesMax = 20_971_520;

const displayName = String.raw`[^<>\p{Cc},;]*`;
const plainAddress = String.raw`[^\s\p{Cc}<>@,;]+@[^\s\p{Cc}<>@,;]+`;

/** `ann@example.com` or `Ann <ann@example.com>`; nothing that could start another header or address. */
const address = z
  .string("must be an email address")
  .trim()
  .max(500, "must have at most 500 characters")
  .regex(
    new RegExp(`^(?:${displayName}<${plainAddress}>|${plainAddress})$`, "u"),
    "must be an address such as Ann <ann@example.com>",
  );

const addresses = z
  .union([address, z.array(address).max(recipientsMax)], `must be an address, or a list of at most ${recipientsMax}`)
  .transform((given) => [given].flat());

const body = z.string("must be text").max(textCharactersMax, `must have at most ${textCharactersMax} characters`);

/** Transient failures. */
const passing = new Set(["MAIL_DEFERRED", "DNS_FAILED", "CONNECT_FAILED", "TIMEOUT", "RESET", "BAD_RESPONSE"]);

/** Sends a mail through an SMTP server. */
export const sendMail = defineNode({
  type: "send-mail",
  name: "Send mail",
  keywords: ["email", "smtp"],
  family: "action",
  icon: "mail",
  iconPath: "M3 7a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-10M3 7l9 6l9 -6",
  summary: ["to {to}"],
  description: `Sends an email. It goes through the SMTP server of a credential of type \`smtp\`; without one, through the service's own
server and from its address (\`SMTP_URL\`, \`MAIL_FROM\`). \`to\`, \`cc\`, \`bcc\` are an address or a list of them, at most
${recipientsMax} each. \`attachments\` are references to files. With both \`text\` and \`html\`, the recipient's mail program chooses.

Output: \`{messageId, accepted, rejected}\`, with the addresses that the server accepted and rejected. The node fails with
\`MAIL_REFUSED\` when the server accepts the mail for nobody, and with \`MAIL_DEFERRED\` when it may accept it later; \`retry\`
tries again then, and when the server does not answer. Every attempt has the same \`Message-ID\`, also after a crash and in
the retry of a run that did not complete, so that a mail that was sent twice is shown once.

Example: \`{"to": "{{ $trigger.body.email }}", "subject": "Your order", "text": "It is on its way."}\` gives
\`{"messageId": "<…@shop.example>", "accepted": ["ann@example.com"], "rejected": []}\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: () => "write",
  sends: ["credential", "from", "to", "cc", "bcc", "replyTo", "subject", "text", "html", "attachments"],
  showsRetries: true,
  credentialNames: ({ credential }) => (typeof credential === "string" ? [credential] : []),
  handles: plainHandle,
  config: z.object({
    to: addresses.meta({ title: "To", description: "An address, or a list of them." }),
    subject: z
      .string("must be text")
      .max(998, "must have at most 998 characters")
      .regex(/^\P{Cc}*$/u, "must not contain line breaks")
      .meta({ title: "Subject", description: "One line." }),
    text: body.optional().meta({ title: "Text", description: "Plain text.", format: "multiline" }),
    html: body.optional().meta({ title: "HTML", description: "The same as HTML.", format: "multiline" }),
    attachments: z
      .array(z.unknown(), "must be a list of files")
      .max(attachmentsMax, `must have at most ${attachmentsMax} files`)
      .optional()
      .meta({ title: "Attachments", description: "References to files, of 20 MiB together." }),
    credential: z.string("must be a credential's name").optional().meta({
      title: "Credential",
      description: "Of type smtp. Default: the service's own server.",
      format: "credential",
    }),
    from: address.optional().meta({ title: "From", description: "Default: the credential's sender." }),
    cc: addresses.optional().meta({ title: "Cc", description: "An address, or a list of them." }),
    bcc: addresses.optional().meta({ title: "Bcc", description: "An address, or a list of them." }),
    replyTo: address.optional().meta({ title: "Reply to", description: "Where replies go. Default: the sender." }),
    timeout: z
      .int("must be a whole number of milliseconds")
      .min(1, "must be at least 1")
      .max(300_000, "must be at most 300000")
      .optional()
      .default(30_000)
      .meta({ title: "Timeout", description: "Milliseconds for one attempt. Default: 30,000." }),
    retry: retryPolicy
      .omit({ retryOn: true })
      .prefault({})
      .meta({ title: "Retry", description: "When the server does not answer, or may accept the mail later." }),
  }),
  example: { to: "ann@example.com", subject: "Your order", text: "It is on its way.", credential: "mailbox" },
  problem: ({ text, html }) =>
    text === undefined && html === undefined ? { path: "text", message: "is required, or html" } : null,
  run: async ({ timeout, retry, credential, cc = [], bcc = [], attachments = [], ...mail }, context) => {
    const files: FileReference[] = [];
    for (const reference of attachments) files.push(await context.files.find(reference));
    if (files.reduce((sum, { size }) => sum + size, 0) > attachedBytesMax) {
      throw new NodeFailure("FILE_TOO_LARGE", "attachments: the files have more than 20 MiB together", {
        field: "attachments",
      });
    }
    const request: MailRequest = {
      from: mail.from,
      to: mail.to,
      cc,
      bcc,
      replyTo: mail.replyTo,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      ...(files.length === 0 ? {} : { attachments: files }),
      credential: credential === undefined ? undefined : await context.credential(credential),
      key: await context.idempotencyKey(),
      timeoutMs: timeout,
    };
    const { messageId, accepted, rejected } = await sendWithRetries(request, { retryOn: undefined, ...retry }, context);
    return { output: { messageId, accepted, rejected } };
  },
});

async function sendWithRetries(
  request: MailRequest,
  policy: Parameters<typeof delayBeforeRetry>[0],
  context: NodeContext,
): Promise<MailAnswer> {
  for (let retry = 1; ; retry += 1) {
    try {
      return await context.sendMail(request);
    } catch (error) {
      if (!(error instanceof NodeFailure) || !passing.has(error.code) || retry > policy.maxRetries) throw error;
      const delayMs = delayBeforeRetry(policy, retry, context.random(), undefined);
      const when = `Retry ${retry} of ${policy.maxRetries} in ${durationInWords(delayMs)}`;
      context.log("warning", `${error.message}. ${when}`, { code: error.code, retry, delayMs });
      await context.sleep(delayMs);
      context.retried();
    }
  }
}
