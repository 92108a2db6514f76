import type { Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import type { ImapFlow, ImapTransport } from "imapflow";
import { nextTurn } from "../../turns.ts";
import type { Deadline } from "../deadline.ts";
import { OutboundError, translateError } from "../outbound-error.ts";
import { MailRefused } from "../outbound-mail.ts";
import { imapMailbox } from "./imap-mailbox.ts";
import { type ImapServer, type Mailbox, type MailboxChoice, type OpenImapSocket, readBytesMax } from "./imap-server.ts";
import { Allowance, MeteredSocket } from "./metered-socket.ts";

const imapPorts: ReadonlySet<number> = new Set([143, 993]);
const messageCharactersMax = 500;
const greetingMsMax = 15_000;
/** Far more than any expected answer has; a line, however many tokens it has, is parsed in one turn. */
const limits = {
  maxLineLength: 65_536,
  maxLiteralSize: 2 * readBytesMax,
  maxResponseSize: 4 * readBytesMax,
  maxResponseTokens: 2_000,
} as const;
/** Bytes of all answers to a command, apart from the mails that it requests. */
const answerBytesMax = 262_144;

/** Signs in and out again. Throws OutboundError, MailRefused. */
export async function signInToImap(server: ImapServer, open: OpenImapSocket, deadline: Deadline): Promise<void> {
  await overConnection(server, open, deadline, async () => {});
}

/** Opens a mailbox on a new connection, for as long as `use` takes. Throws OutboundError, MailRefused. */
export async function overMailbox<Result>(
  server: ImapServer,
  { path, isWritable }: MailboxChoice,
  open: OpenImapSocket,
  deadline: Deadline,
  use: (mailbox: Mailbox) => Promise<Result>,
): Promise<Result> {
  return await overConnection(server, open, deadline, async (client, awaitAnswer) => {
    await awaitAnswer(client.mailboxOpen(path, { readOnly: !isWritable }), `to open the mailbox "${path}"`);
    return await use(imapMailbox(client, (work, bytes) => awaitAnswer(work, "what it was asked for", bytes)));
  });
}

/** Awaits the answer to a command, translating its failure. `bytes`: of the mails that it requests. */
type AwaitAnswer = <Answer>(work: Promise<Answer>, what: string, bytes?: number) => Promise<Answer>;

async function overConnection<Result>(
  server: ImapServer,
  open: OpenImapSocket,
  deadline: Deadline,
  use: (client: ImapFlow, awaitAnswer: AwaitAnswer) => Promise<Result>,
): Promise<Result> {
  const { host, port } = server;
  const socket = await open({ host, port, ports: imapPorts });
  // An error event without a listener would end the process.
  socket.on("error", () => {}).setNoDelay(true);
  const allowance = new Allowance();
  const client = await clientOver(server, transportOver(socket, server, allowance));
  let fault: unknown;
  client.on("error", (error) => {
    fault ??= error;
  });
  const awaitAnswer: AwaitAnswer = (work, action, bytes = 0) => {
    allowance.allow(answerBytesMax + bytes);
    return work.catch(async (error: unknown) => {
      // The client reports why it closed the connection only after failing its commands.
      await nextTurn();
      throw translateImapError(isLost(error) ? (fault ?? error) : error, host, action);
    });
  };
  const end = () => {
    client.close();
    socket.destroy();
  };
  deadline.signal.addEventListener("abort", end, { once: true });
  try {
    await deadline.race(awaitAnswer(client.connect(), "the sign-in"));
    return await deadline.race(use(client, awaitAnswer));
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error;
  } finally {
    deadline.signal.removeEventListener("abort", end);
    end();
  }
}

/** Loads the library on first use. */
async function clientOver(server: ImapServer, transport: ImapTransport): Promise<ImapFlow> {
  const { ImapFlow: Client } = await import("imapflow");
  const { host, port, security, username: user, password, accessToken } = server;
  return new Client({
    host: host.replace(/^\[|\]$/g, ""),
    port,
    secure: security === "tls",
    doSTARTTLS: security === "starttls",
    auth: accessToken === undefined ? { user, pass: password ?? "" } : { user, accessToken },
    transport,
    logger: false,
    disableAutoIdle: true,
    disableAutoEnable: true,
    // Compressed data may be far larger than its bytes on the wire.
    disableCompression: true,
    disableBinary: true,
    disableIMAP4rev2: true,
    connectionTimeout: greetingMsMax,
    greetingTimeout: greetingMsMax,
    socketTimeout: 60_000,
    ...limits,
  });
}

/** Makes the library use a connection opened by the outbound guard. */
function transportOver(socket: Socket, { host, ca }: ImapServer, allowance: Allowance): ImapTransport {
  const plain = (onConnect: () => void) => {
    setImmediate(onConnect);
    return new MeteredSocket(socket, allowance);
  };
  const secured = (servername: string | undefined, onSecure: () => void) => {
    const name = { host: host.replace(/^\[|\]$/g, ""), ...(servername && { servername }) };
    return new MeteredSocket(tlsConnect({ socket, ...name, ...(ca && { ca }) }, onSecure), allowance);
  };
  return {
    connect: ({ secure, servername }, onConnect) => (secure ? secured(servername, onConnect) : plain(onConnect)),
    upgrade(before, { servername }, onSecure) {
      (before as MeteredSocket).release();
      return secured(servername, onSecure);
    },
  };
}

interface ImapError extends Error {
  readonly code?: string;
  readonly authenticationFailed?: boolean;
  readonly responseStatus?: string;
  readonly responseText?: string;
  readonly tlsFailed?: boolean;
}

const tooLarge = new Set(["LineTooLarge", "LiteralTooLarge", "ResponseTooLarge", "TooManyTokens"]);
const lost = new Set(["NoConnection", "EConnectionClosed", "ClosedAfterConnectTLS", "ClosedAfterConnectText"]);

function isLost(error: unknown): boolean {
  return error instanceof Error && lost.has((error as ImapError).code ?? "");
}

/** Translates errors: the server's message is passed on, all others get our own. */
function translateImapError(error: unknown, host: string, action: string): unknown {
  if (!(error instanceof Error) || error instanceof OutboundError || error instanceof MailRefused) return error;
  const { code = "", authenticationFailed, responseStatus, responseText, tlsFailed } = error as ImapError;
  const message = (responseText ?? "").replace(/\s+/g, " ").slice(0, messageCharactersMax);
  if (authenticationFailed === true)
    return new MailRefused(`${host} did not accept the user name and password${message && `: ${message}`}`, false);
  if (responseStatus === "NO" || responseStatus === "BAD")
    return new MailRefused(`${host} refused ${action}${message && `: ${message}`}`, false);
  if (tlsFailed === true || "library" in error)
    return new OutboundError("TLS", `No secure connection could be made (${host})`, { cause: error });
  if (tooLarge.has(code))
    return new OutboundError("RESPONSE_TOO_LARGE", `The mail server's answer is too large (${host})`, { cause: error });
  if (lost.has(code)) return new OutboundError("RESET", `The connection was closed (${host})`, { cause: error });
  const translated = translateError(error, host);
  if (translated !== error) return translated;
  return new OutboundError("BAD_RESPONSE", `The mail server gave no proper answer (${host})`, { cause: error });
}
