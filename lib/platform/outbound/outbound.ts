import { lookup } from "node:dns/promises";
import { Agent, type Dispatcher, Pool } from "undici";
import { createAddressGuard, type ResolveHost } from "./address-guard.ts";
import { parseAllowList } from "./allow-list.ts";
import { checkHeaders } from "./checked-headers.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { guardedConnector } from "./guarded-connector.ts";
import { checkUrl, type Hop, isRedirect, nextHop } from "./next-hop.ts";
import { OutboundError, translateError } from "./outbound-error.ts";
import { readBeginning, readBody, tooLarge } from "./read-body.ts";

const redirectsMax = 5;
const bodyBytesDefault = 5 * 1024 * 1024;

export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds for the whole exchange, redirects and body included. */
  readonly timeoutMs: number;
  readonly followRedirects: boolean;
  /** Headers with secrets: dropped, like `authorization` and `cookie`, when a redirect changes the origin. */
  readonly secretHeaders?: readonly string[];
  /** Only the first bytes of the body are wanted: the rest is not read, without an error. */
  readonly bodyBytesRead?: number;
  readonly signal: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined by ", ". Without `content-encoding` if the body was decoded. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface OutboundOptions {
  /** Hosts, `host:port`, `*.suffix`, addresses and CIDR blocks that may be reached although they are private. */
  readonly allow: string;
  /** Resolves a name to all its addresses; the system's resolver by default. */
  readonly resolve?: ResolveHost;
  /** Largest decoded body; 5 MiB by default. */
  readonly maxBodyBytes?: number;
}

/** The only way out of the service. Connections are pooled. */
export interface Outbound {
  /** Throws `OutboundError`. Any status counts as an answer. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * Throws `OutboundError` if a request to this URL would be refused; sends nothing. For URLs that are stored for
   * later.
   */
  check(url: string): Promise<void>;
  /** Closes every connection; requests in flight fail with `ABORTED`. */
  close(): Promise<void>;
}

export function createOutbound(options: OutboundOptions): Outbound {
  const guard = createAddressGuard(parseAllowList(options.allow), options.resolve ?? systemResolve);
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

  return {
    async send(request) {
      const first = firstHop(request);
      const deadline = startDeadline(request.timeoutMs, request.signal);
      try {
        return await exchange(agent, first, request, deadline, bytesMax);
      } finally {
        deadline.clear();
      }
    },
    async check(text) {
      const url = checkUrl(text);
      const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
      guard.checkHost(url.hostname, port);
      await guard.lookup(url.hostname, port);
    },
    close: () => agent.destroy(),
  };
}

/** The system's resolver, which also knows `/etc/hosts` and container names. */
async function systemResolve(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true, order: "verbatim" });
  return answers.map((answer) => answer.address);
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

async function exchange(
  agent: Agent,
  first: Hop,
  request: OutboundRequest,
  deadline: Deadline,
  bytesMax: number,
): Promise<OutboundAnswer> {
  const secretHeaders = new Set((request.secretHeaders ?? []).map((name) => name.toLowerCase()));
  let hop = first;
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await dispatch(agent, hop, deadline);
      const headers = joinHeaders(answer.headers);
      const location = isRedirect(answer.statusCode) ? headers.get("location") : undefined;
      if (!request.followRedirects || location === undefined) {
        if (request.bodyBytesRead !== undefined) {
          const body = await readBeginning(answer.body, request.bodyBytesRead);
          return { status: answer.statusCode, headers: Object.fromEntries(headers), body };
        }
        return await complete(answer, headers, hop.method, bytesMax);
      }
      // Drained so that the connection can be reused; a redirect with a large body is cut off instead.
      await answer.body.dump({ limit: 16 * 1024, signal: deadline.signal });
      if (redirects === redirectsMax) {
        throw new OutboundError("TOO_MANY_REDIRECTS", `More than ${redirectsMax} redirects (${hop.url.host})`);
      }
      hop = nextHop(hop, answer.statusCode, location, secretHeaders);
    }
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : translateError(error, hop.url.host);
  }
}

function dispatch(agent: Agent, hop: Hop, deadline: Deadline): Promise<Dispatcher.ResponseData> {
  return deadline.race(
    agent.request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(hop.headers),
      body: hop.body ?? null,
      signal: deadline.signal,
      responseHeaders: "raw",
    }),
  );
}

/** Names and values alternate in `raw`, so a header named `__proto__` is a name like any other. */
function joinHeaders(raw: unknown): Map<string, string> {
  const joined = new Map<string, string>();
  const list = raw as readonly string[];
  for (let index = 0; index + 1 < list.length; index += 2) {
    const name = String(list[index]).toLowerCase();
    const value = String(list[index + 1]);
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return joined;
}

async function complete(
  answer: Dispatcher.ResponseData,
  headers: Map<string, string>,
  method: string,
  bytesMax: number,
): Promise<OutboundAnswer> {
  const bodyless = method === "HEAD" || answer.statusCode === 204 || answer.statusCode === 304;
  if (!bodyless && Number(headers.get("content-length")) > bytesMax) {
    answer.body.on("error", () => {}).destroy();
    throw tooLarge(bytesMax);
  }
  const { body, decoded } = await readBody(
    answer.body,
    bodyless ? undefined : headers.get("content-encoding"),
    bytesMax,
  );
  if (decoded) {
    headers.delete("content-encoding");
    headers.delete("content-length");
  }
  return { status: answer.statusCode, headers: Object.fromEntries(headers), body };
}
