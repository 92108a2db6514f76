import { createHash } from "node:crypto";
import { mailServerOf } from "#lib/credentials/credential-servers.ts";
import { type MailAnswer, type MailRequest, type NodeCredential, NodeFailure } from "#lib/nodes/define.ts";
import type { FileAccess } from "#lib/nodes/files/file-access.ts";
import { hostFailure, mayBeSentTo } from "#lib/nodes/http-request/apply-credential.ts";
import { serviceMailServer } from "#lib/platform/mail.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import type { MailServer } from "#lib/platform/outbound/outbound-mail.ts";

/** A mail server and its sender. */
interface Sender {
  readonly server: MailServer;
  readonly from: string;
  /** True for the operator's own server, which may have any address. */
  readonly isOurs: boolean;
}

/**
 * Sends a node's mail. The Message-ID is derived from the step's key, so that receivers recognize a mail that is sent
 * again after a crash. Throws NodeFailure: MAIL_REFUSED, MAIL_DEFERRED (the server may take it later),
 * MAIL_NOT_CONFIGURED, CREDENTIAL_TYPE, CREDENTIAL_HOST, and the codes of OutboundError.
 */
export async function sendMail(
  { outbound }: { readonly outbound: Outbound },
  { credential, key, timeoutMs, from, attachments = [], ...mail }: MailRequest,
  signal: AbortSignal,
  files: FileAccess,
): Promise<MailAnswer> {
  const sender = credential === undefined ? ownSender() : senderOf(credential);
  // The service's own server sends only from the service's address.
  const sent = { ...mail, from: sender.isOurs ? sender.from : (from ?? sender.from) };
  const id = createHash("sha256").update(key).digest("hex").slice(0, 32);
  const domain = /@([\w.-]+)>?\s*$/.exec(sent.from)?.[1] ?? "millrace.invalid";
  try {
    const options = { timeoutMs, signal, isTrusted: sender.isOurs };
    const attached = attachments.map((file) => ({ ...file, open: () => files.open(file) }));
    const message = { ...sent, messageId: `<${id}@${domain}>`, attachments: attached };
    return await outbound.sendMail(sender.server, message, options);
  } catch (error) {
    throw failureOf(error);
  }
}

function ownSender(): Sender {
  const own = serviceMailServer();
  if (own !== null) return { ...own, isOurs: true };
  const message = "The service has no mail server of its own: name a credential of type smtp";
  throw new NodeFailure("MAIL_NOT_CONFIGURED", message, { field: "credential" });
}

function senderOf({ name, type, data, allowedHosts }: NodeCredential): Sender {
  const { host = "", from = "" } = data;
  if (type !== "smtp") {
    const message = `The credential "${name}" cannot be used here: it is of type ${type}, not smtp`;
    throw new NodeFailure("CREDENTIAL_TYPE", message, { field: "credential" });
  }
  if (!mayBeSentTo(allowedHosts, host)) {
    throw new NodeFailure("CREDENTIAL_HOST", hostFailure(name, allowedHosts, host), { field: "credential" });
  }
  return { server: mailServerOf(data), from, isOurs: false };
}

/** Compares names: other bundles have copies of these classes. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === "MailRefused") {
    const isTemporary = "isTemporary" in error && error.isTemporary === true;
    return new NodeFailure(isTemporary ? "MAIL_DEFERRED" : "MAIL_REFUSED", error.message, { cause: error });
  }
  if (error.name === "OutboundError" && "code" in error) {
    return new NodeFailure(String(error.code), `The mail was not sent: ${error.message}`, { cause: error });
  }
  return error;
}
