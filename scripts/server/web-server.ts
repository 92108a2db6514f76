import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { PHASE_PRODUCTION_SERVER } from "next/constants.js";
import type { ServerHooks, UnreadableRequest } from "#lib/http/node-handler.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { StaticFiles } from "./static-files.ts";
import { StartError } from "./stopping.ts";
import { ClosingResponse, destroyLater } from "./unread-body.ts";

/** How long a connection may take: idle between requests, with the head of one, with all of it. */
export const patience = {
  // Longer than the minute for which common load balancers keep a connection that they may still use.
  keepAliveTimeout: 65_000,
  // Limits how long a slow sender can hold a connection.
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions;

/**
 * `Upgrade` only offers another protocol, as curl and Java's client do with every first request: a server without it
 * answers the request. Next would close the connection, or leave it open without an answer.
 */
const withoutUpgrades = { shouldUpgradeCallback: () => false } satisfies ServerOptions;

export function createHttpServer(options: ServerOptions = { ...patience, ...withoutUpgrades }): Server {
  // The bundle refuses a request without a Host, in the envelope.
  return createServer({ ...options, requireHostHeader: false, ServerResponse: ClosingResponse });
}

// The HTTP server around Next. What answers faster than Next's routing can, and what must finish before the process
// ends, registers itself under a symbol: the bundle cannot be imported from here, nor this from the bundle.

/**
 * How long the server waits for its first workspace before it listens, so that what connects during a restart is not
 * answered with 503. On a port of its own it would refuse connections meanwhile; a socket that was passed to it keeps
 * them waiting.
 */
const readyMsMax = { port: 2_000, socket: 30_000 };
const drainMsMax = 20_000;
/** For responses that are still being written; streams never end by themselves. */
const responsesMsMax = 2000;
const answerMsMax = 60_000;
const sweepMs = 50;

interface Options {
  readonly dev: boolean;
  readonly dir: string;
  readonly port: number;
  readonly host: string | undefined;
  /** A file descriptor to listen on in place of port and host. */
  readonly socket: number | undefined;
  readonly trustedProxies: number;
}

export class WebServer {
  readonly #options: Options;
  readonly #app: ReturnType<typeof next>;
  readonly #server: Server;
  readonly #ready = Promise.withResolvers<void>();
  #stopping = false;

  constructor(options: Options) {
    this.#options = options;
    const { dev, dir, port, host } = options;
    // Hot reload speaks through a web socket.
    this.#server = createHttpServer(dev ? patience : undefined);
    Object.assign(hooks(), { ready: this.#ready.resolve } satisfies ServerHooks);
    this.#app = next({ dev, dir, port, hostname: host ?? "localhost", httpServer: this.#server, quiet: !dev });
  }

  /** Resolves once the health check succeeds. */
  async start(): Promise<void> {
    if (!this.#options.dev) await readConfigQuietly(this.#options.dir);
    await this.#app.prepare();
    const handleByNext = this.#app.getRequestHandler();
    const files = this.#options.dev ? null : new StaticFiles(this.#options.dir);
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      if (this.#stopping) response.shouldKeepAlive = false;
      request.url = targetOf(request.url);
      request.headers["x-forwarded-for"] = addressOf(request, this.#options.trustedProxies);
      try {
        if (hooks().handle?.(request, response) || files?.handle(request, response)) return;
      } catch (error) {
        refuse(response, error);
        return;
      }
      handleByNext(request, response).catch((error) => refuse(response, error));
    };
    // An expectation that is not known may be ignored: Node would answer without the envelope.
    this.#server.on("request", answer).on("checkExpectation", answer);
    this.#server.on("clientError", (error, socket) => void refuseUnreadable(error, socket));
    this.#server.on("connect", refuseConnect);
    await within(this.#options.socket === undefined ? readyMsMax.port : readyMsMax.socket, this.#ready.promise);
    if (!this.#stopping) await this.#listen();
    await this.#answers();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const sweep = setInterval(() => this.#server.closeIdleConnections(), sweepMs);
    await within(drainMsMax, hooks().drain?.());
    await within(responsesMsMax, closed);
    clearInterval(sweep);
    this.#server.closeAllConnections();
    await within(responsesMsMax, this.#app.close());
  }

  #listen(): Promise<void> {
    const { port, host, socket } = this.#options;
    const address = socket === undefined ? `PORT ${port}` : "The socket that was handed over";
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(new StartError(`${address} cannot be used: ${error.message}`)));
      this.#server.listen(socket === undefined ? { port, ...(host && { host }) } : { fd: socket }, resolve);
    });
  }

  #ownUrl(): string {
    const { host, port, socket } = this.#options;
    if (socket === undefined) return `http://${reachableHost(host)}:${port}`;
    const bound = this.#server.address();
    if (bound === null || typeof bound === "string")
      throw new StartError("The passed socket has no port: Millrace listens on TCP");
    return `http://${reachableHost(bound.address)}:${bound.port}`;
  }

  async #answers(): Promise<void> {
    const url = `${this.#ownUrl()}/api/health`;
    let last: unknown;
    for (let end = performance.now() + answerMsMax; performance.now() < end && !this.#stopping; await sleep(100)) {
      try {
        const response = await fetch(url, { headers: { connection: "close" }, signal: AbortSignal.timeout(10_000) });
        const text = await response.text();
        if (response.ok) return;
        // The health check waits for the first workspace, and retries creating it for as long as it takes.
        if (text.includes('"starting"')) end = performance.now() + answerMsMax;
        last = `status ${response.status}`;
      } catch (error) {
        last = error instanceof Error ? (error.cause ?? error) : error;
      }
    }
    throw new StartError(`${url} does not answer: ${last instanceof Error ? last.message : last}`);
  }
}

/** Next keeps the configuration that it has read, and logs it unless it was asked to be silent. */
async function readConfigQuietly(dir: string): Promise<void> {
  const load: typeof import("next/dist/server/config.js") = createRequire(import.meta.url)("next/dist/server/config");
  // By the name that Next uses, without a slash at its end.
  await load.default(PHASE_PRODUCTION_SERVER, resolve(dir), { silent: true });
}

/** The requested path and query: a host before them is ignored. */
function targetOf(target = "/"): string {
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/**
 * A request's client address. Only the connection can be trusted, and behind proxies the entry that the outermost one
 * added: entries before that are the client's own and not trusted.
 */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string | undefined {
  const own = socket.remoteAddress?.replace(/^::ffff:/, "");
  if (trustedProxies === 0) return own;
  const forwarded = String(headers["x-forwarded-for"] ?? "").split(",");
  return forwarded.at(-trustedProxies)?.trim() || own;
}

function hooks(): ServerHooks {
  return singleton<ServerHooks>("server", () => ({}));
}

function refuse(response: ServerResponse, error: unknown): void {
  console.error(error);
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { "content-type": "text/plain" }).end("Internal error");
}

/** `CONNECT` asks a proxy for a tunnel. Without a listener Node closes the connection without an answer. */
function refuseConnect({ url }: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => {}).once("finish", () => socket.destroy());
  const rawPacket = Buffer.from(`CONNECT ${url} HTTP/1.1\r\n`);
  void refuseUnreadable(Object.assign(new Error("Not a proxy"), { code: "HPE_INVALID_METHOD", rawPacket }), socket);
}

/** Without a listener Node answers with a bare status line. */
async function refuseUnreadable(error: Error, socket: Duplex): Promise<void> {
  const isLost = "code" in error && error.code === "ECONNRESET";
  const answer = isLost
    ? undefined
    : await hooks()
        .unreadable?.(error as UnreadableRequest)
        .catch(() => undefined);
  if (answer === undefined || !socket.writable) {
    socket.destroy(error);
    return;
  }
  socket.end(answer);
  destroyLater(socket);
}

/** Waits for the promise, but no longer than given; a failure is logged and does not keep the server from stopping. */
async function within(msMax: number, promise: Promise<unknown> | undefined): Promise<void> {
  const timeout = new AbortController();
  const settled = Promise.resolve(promise).catch((error) => console.error(error));
  await Promise.race([settled, sleep(msMax, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
}

function reachableHost(host: string | undefined): string {
  if (!host || host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
