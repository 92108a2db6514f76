import { Agent, Pool } from "undici";
import { createAddressGuard, type ResolveHost } from "./address-guard.ts";
import { parseAllowList } from "./allow-list.ts";
import { checkHeaders } from "./checked-headers.ts";
import { type Deadline, startDeadline, withDeadline } from "./deadline.ts";
import { exchange, readAnswer, streamOf } from "./exchange.ts";
import { overMailbox, signInToImap } from "./imap/imap-client.ts";
import type { ImapServer, Mailbox, MailboxChoice, MailboxLimits } from "./imap/imap-server.ts";
import { checkUrl, type Hop, type OutboundBody } from "./next-hop.ts";
import { guardedConnector, openSocket, type SocketTarget } from "./open-socket.ts";
import { OutboundError } from "./outbound-error.ts";
import {
  type MailLimits,
  type MailServer,
  type OutboundMail,
  type SentMail,
  sendThrough,
  signInTo,
} from "./outbound-mail.ts";
import { NameResolver } from "./resolve-name.ts";
import { SqlPool } from "./sql/sql-pool.ts";
import type { SqlAnswer, SqliteFile, SqlLimits, SqlServer, SqlStatement } from "./sql/sql-server.ts";
import { SqliteFiles } from "./sql/sqlite/sqlite-files.ts";

const bodyBytesDefault = 5 * 1024 * 1024;

export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: OutboundBody;
  /** Milliseconds for the whole exchange, redirects and body included. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Headers with secrets: dropped, like `authorization` and `cookie`, when a redirect changes the origin. */
  readonly secretHeaders?: readonly string[];
  /** Reads only this many bytes of the body, without an error. */
  readonly bodyBytesRead?: number;
  /** With `bodyBytesRead`: a body that breaks off or is late is no error, but returned as far as it arrived. */
  readonly bodyMayBreakOff?: boolean;
  readonly signal: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined by ", ". Without `content-encoding` if the body was decoded. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** An answer whose body has not been read yet. */
export interface OutboundStream {
  readonly status: number;
  /** As in an `OutboundAnswer`; `content-length` only if the body was not decoded. */
  readonly headers: Record<string, string>;
  /**
   * Must be read to its end, or left early, which closes the connection. Throws `OutboundError`, including for more
   * than `maxBodyBytes`.
   */
  readonly body: AsyncGenerator<Buffer, void, undefined>;
}

export interface StreamLimits {
  /** Of the decoded body. */
  readonly maxBodyBytes: number;
  /**
   * Milliseconds without a byte; `timeoutMs` then limits only the head. By default, `timeoutMs` limits the whole
   * exchange.
   */
  readonly idleMs?: number;
}

export interface OutboundOptions {
  /** Private hosts, `host:port`, `*.suffix`, addresses and CIDR blocks that may be reached. */
  readonly allow: string;
  /** Resolves a name to all its addresses; as the system does by default. */
  readonly resolve?: ResolveHost;
  /** Largest decoded body; 5 MiB by default. */
  readonly maxBodyBytes?: number;
}

/** All requests leave the service through this. Connections are pooled. */
export interface Outbound {
  /** Throws `OutboundError`. Any status counts as an answer. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same for a body of any size. Its reader must start at once and finish: an unread body holds a connection. */
  open(request: OutboundRequest, limits: StreamLimits): Promise<OutboundStream>;
  /**
   * Throws `OutboundError` if a request to this URL would be refused. For URLs that are stored for later; sends
   * nothing.
   */
  check(url: string): Promise<void>;
  /** Sends one mail through a server. Throws `OutboundError`, and `MailRefused` if the server refuses it. */
  sendMail(server: MailServer, mail: OutboundMail, limits: MailLimits): Promise<SentMail>;
  /** Greets a mail server and signs in; sends no mail. Throws as `sendMail`. */
  signInToMail(server: MailServer, limits: MailLimits): Promise<void>;
  /** Opens a mailbox for as long as `use` takes. Throws `OutboundError`, and `MailRefused` if the server refuses. */
  withMailbox<Result>(
    server: ImapServer,
    choice: MailboxChoice,
    limits: MailboxLimits,
    use: (mailbox: Mailbox) => Promise<Result>,
  ): Promise<Result>;
  /** Signs in to an IMAP server. Throws as `withMailbox`. */
  signInToMailbox(server: ImapServer, limits: MailboxLimits): Promise<void>;
  /** Runs one statement in a database. Throws `OutboundError`, and `SqlRefused` if the database refuses it. */
  query(server: SqlServer | SqliteFile, statement: SqlStatement, limits: SqlLimits): Promise<SqlAnswer>;
  /** Closes every connection; requests in flight fail with `ABORTED`. */
  close(): Promise<void>;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const names = new NameResolver();
  const resolve = options.resolve ?? ((name) => names.resolve(name));
  const guard = createAddressGuard(parseAllowList(options.allow), resolve);
  const openGuard = createAddressGuard(parseAllowList("0.0.0.0/0,::/0"), resolve);
  const bytesMax = options.maxBodyBytes ?? bodyBytesDefault;
  // One pool per origin, so that a connection's checks know the URL's port.
  const agent = new Agent({
    factory: (origin, poolOptions) =>
      new Pool(origin, { ...poolOptions, connect: guardedConnector(new URL(origin), guard) }),
    // Each request's deadline replaces these and starts earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 60_000,
  });

  const databases = new SqlPool((target, deadline) => openSocket(guard, target, deadline));
  const files = new SqliteFiles();

  const connect = (deadline: Deadline) => (target: SocketTarget) => openSocket(guard, target, deadline);

  return {
    send: (request) =>
      withDeadline(request, (deadline) =>
        exchange(agent, firstHop(request), request, { deadline }, (answer) => readAnswer(answer, request, bytesMax)),
      ),
    async open(request, { maxBodyBytes, idleMs }) {
      const first = firstHop(request);
      // Runs on while the body is read.
      const deadline = startDeadline(request.timeoutMs, request.signal);
      try {
        return await exchange(agent, first, request, { deadline, idleMs }, (answer) =>
          streamOf(answer, maxBodyBytes, () => {
            if (idleMs !== undefined) deadline.clear();
            return deadline;
          }),
        );
      } catch (error) {
        deadline.clear();
        throw error;
      }
    },
    async check(text) {
      const url = checkUrl(text);
      const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
      guard.checkHost(url.hostname, port);
      await guard.lookup(url.hostname, port);
    },
    sendMail: (server, mail, limits) =>
      withDeadline(limits, (deadline) => {
        const chosen = limits.isTrusted ? openGuard : guard;
        return sendThrough(server, mail, (target) => openSocket(chosen, target, deadline), deadline);
      }),
    signInToMail: (server, limits) => withDeadline(limits, (deadline) => signInTo(server, connect(deadline), deadline)),
    withMailbox: (server, choice, limits, use) =>
      withDeadline(limits, (deadline) => overMailbox(server, choice, connect(deadline), deadline, use)),
    signInToMailbox: (server, limits) =>
      withDeadline(limits, (deadline) => signInToImap(server, connect(deadline), deadline)),
    query: (server, statement, limits) =>
      server.kind === "sqlite" ? files.query(server, statement, limits) : databases.query(server, statement, limits),
    async close() {
      databases.close();
      files.close();
      await agent.destroy();
    },
  };
}

function firstHop(request: OutboundRequest): Hop {
  const method = request.method.toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method) || method === "CONNECT" || method === "TRACE") {
    throw new OutboundError("BAD_METHOD", `The method ${method.slice(0, 20)} cannot be sent`);
  }
  const bodyless = method === "GET" || method === "HEAD";
  return {
    method,
    url: checkUrl(request.url),
    headers: checkHeaders(request.headers),
    body: bodyless ? undefined : request.body,
  };
}
