import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { Deadline } from "./deadline.ts";
import type { SocketTarget } from "./open-socket.ts";
import { OutboundError, translateError } from "./outbound-error.ts";

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` before any command, TLS if `offered`, or `none`. */
  readonly security: "tls" | "starttls" | "offered" | "none";
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** Addresses as people write them: `Ann <ann@example.com>`. */
export interface OutboundMail {
  /** The same for a mail that is sent again: receivers dedupe by it. */
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text?: string | undefined;
  readonly html?: string | undefined;
  /** Streamed. */
  readonly attachments?: readonly MailAttachment[];
}

interface MailAttachment {
  readonly name: string;
  readonly contentType: string;
  readonly open: () => AsyncIterable<Uint8Array>;
}

export interface MailLimits {
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The operator's own server may be at an address that flows cannot reach. */
  readonly isTrusted?: boolean;
}

export interface SentMail {
  readonly messageId: string;
  /** Plain addresses that the server accepted. */
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
}

/** The server refused the sign-in, all recipients, or the mail. `isTemporary`: it may accept it later (4xx). */
export class MailRefused extends Error {
  readonly isTemporary: boolean;

  constructor(message: string, isTemporary: boolean) {
    super(message);
    this.name = "MailRefused";
    this.isTemporary = isTemporary;
  }
}

/** SMTP ports: relay, submission with TLS, submission. */
const mailPorts: ReadonlySet<number> = new Set([25, 465, 587]);
const messageCharactersMax = 500;

type OpenSocket = (target: SocketTarget) => Promise<Socket>;

/** Sends a mail on a new connection from `open`. Throws OutboundError, MailRefused. */
export async function sendThrough(
  server: MailServer,
  mail: OutboundMail,
  open: OpenSocket,
  deadline: Deadline,
): Promise<SentMail> {
  return await overConnection(server, open, deadline, "the mail", async (transport) => {
    const attachments = attachmentsOf(mail);
    const sent = await transport.sendMail({ ...mail, to: [...mail.to], ...encodingOf(mail), attachments } as never);
    return {
      messageId: sent.messageId,
      accepted: sent.accepted.map(plain),
      rejected: sent.rejected.map(plain),
    };
  });
}

/** Greets a server, and signs in if there is an account; sends nothing. Throws OutboundError, MailRefused. */
export async function signInTo(server: MailServer, open: OpenSocket, deadline: Deadline): Promise<void> {
  await overConnection(server, open, deadline, "the sign-in", (transport) => transport.verify());
}

async function overConnection<Result>(
  server: MailServer,
  open: OpenSocket,
  deadline: Deadline,
  action: string,
  use: (transport: ReturnType<typeof createTransport>) => Promise<Result>,
): Promise<Result> {
  const { host, port, security, username, password } = server;
  const socket = await open({ host, port, ports: mailPorts });
  const onAbort = () => socket.destroy();
  deadline.signal.addEventListener("abort", onAbort, { once: true });
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    // Does not send without signing in, even if the server does not offer it.
    ...(username === undefined ? {} : { auth: { user: username, pass: password ?? "" }, forceAuth: true }),
    // Texts are the flow's data: they must not make the library read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, callback: (error: null, options: { connection: Socket }) => void) =>
      callback(null, { connection: socket }),
  } as Parameters<typeof createTransport>[0]);
  try {
    return await deadline.race(use(transport));
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : translateMailError(error, host, action);
  } finally {
    deadline.signal.removeEventListener("abort", onAbort);
    socket.destroy();
  }
}

/** Longer texts are sent as base64: quoted-printable takes 200 ms per megabyte without yielding. */
const quotedCharactersMax = 65_536;

function encodingOf({ text = "", html = "" }: OutboundMail): { readonly textEncoding?: "base64" } {
  return text.length + html.length > quotedCharactersMax ? { textEncoding: "base64" } : {};
}

function attachmentsOf({ attachments = [] }: OutboundMail) {
  return attachments.map(({ name, contentType, open }) => ({
    filename: name.slice(name.lastIndexOf("/") + 1),
    contentType,
    content: Readable.from(open(), { objectMode: false }),
  }));
}

const plain = (address: string | { address: string }) => (typeof address === "string" ? address : address.address);

/** Translates nodemailer's failures: the server's message is passed on, all others get our own. */
function translateMailError(error: unknown, host: string, action: string): unknown {
  if (!(error instanceof Error)) return error;
  const { responseCode, response, code } = error as { responseCode?: number; response?: string; code?: string };
  // nodemailer has no code for a failed TLS handshake: OpenSSL's `library` distinguishes it.
  if (code === "ETLS" || "library" in error)
    return new OutboundError("TLS", `No secure connection could be made (${host})`, { cause: error });
  if (responseCode !== undefined && response !== undefined) {
    const message = response.replace(/\s+/g, " ").slice(0, messageCharactersMax);
    return new MailRefused(`${host} did not take ${action}: ${message}`, responseCode < 500);
  }
  if (code === "EAUTH") return new MailRefused(`${host} did not accept the user name and password`, false);
  if (code === "EENVELOPE") return new MailRefused(`The mail cannot be sent: ${error.message}`, false);
  if (code === "EPROTOCOL" || code === "ECONNECTION" || code === "ESOCKET" || code === "ETIMEDOUT")
    return new OutboundError("BAD_RESPONSE", `The mail server gave no proper answer (${host})`, { cause: error });
  return translateError(error, host);
}
