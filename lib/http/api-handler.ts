// API calls on Node's own server, in front of Next: its routing costs several times a short call.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ReadableStream } from "node:stream/web";
import { levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { answerSlots } from "./answer-slots.ts";
import { errorAnswer } from "./envelope.ts";
import { bytesOf } from "./read-body.ts";
import type { RouteHandler } from "./route.ts";
import securityHeaders from "./security-headers.json";
import { decoded } from "./trigger/trigger-host.ts";

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type RouteFile = Readonly<Record<Method, RouteHandler>>;

/** Route files by their paths: `/flows/[id]/draft`. They are loaded when they are first called. */
export type ApiRoutes = Readonly<Record<string, () => Promise<RouteFile>>>;

/** A step of paths: what follows by name, and what follows any other step. */
class Step {
  readonly named = new Map<string, Step>();
  other: { readonly name: string; readonly step: Step } | undefined;
  load: ApiRoutes[string] | undefined;

  /** The file of a path. A name goes before any other step, but not if nothing is found below it. */
  find(steps: readonly string[], at = 0): FoundRoute | null {
    const step = steps[at];
    if (step === undefined) return this.load === undefined ? null : { load: this.load, params: {} };
    const named = this.named.get(step)?.find(steps, at + 1);
    if (named || this.other === undefined || step === "") return named ?? null;
    const found = this.other.step.find(steps, at + 1);
    return found && { ...found, params: { [this.other.name]: step, ...found.params } };
  }
}

interface FoundRoute {
  readonly load: ApiRoutes[string];
  readonly params: Readonly<Record<string, string>>;
}

function treeOf(routes: ApiRoutes): Step {
  const root = new Step();
  for (const [path, load] of Object.entries(routes)) {
    let step = root;
    for (const name of path.split("/").slice(1)) {
      const param = /^\[(.+)\]$/.exec(name)?.[1];
      const next: Step = (param === undefined ? step.named.get(name) : step.other?.step) ?? new Step();
      if (param === undefined) step.named.set(name, next);
      else step.other = { name: param, step: next };
      step = next;
    }
    step.load = load;
  }
  return root;
}

const apiPath = /^\/(?:api\/)?v1(\/[^?#]*?)\/?(?:\?|$)/;

/** Answers calls of the API's routes: false for any other request, which is left to Next. */
export function apiHandler(routes: ApiRoutes): (request: IncomingMessage, response: ServerResponse) => boolean {
  const tree = treeOf(routes);
  return (request, response) => {
    const path = apiPath.exec(request.url ?? "")?.[1];
    // A malformed escape is in no id.
    const found = path === undefined ? null : tree.find(path.split("/").slice(1).map(decoded));
    if (found === null) return false;
    void answer(found, request, response);
    return true;
  };
}

/** A client that reads nothing of an answer for this long is disconnected: what it does not read stays in memory. */
const readsNothingMsMax = 60_000;

/** A connection's calls. Those that are sent before the first is answered wait: their answers would fill the memory. */
class Connection {
  readonly #open = new Set<() => void>();
  #last: Promise<void> = Promise.resolve();

  constructor(socket: Socket) {
    socket.once("close", () => {
      for (const end of this.#open) end();
    });
  }

  /** `before`: resolves when the earlier calls have their answers; `sent`: when this one has, or the client has left. */
  add(response: ServerResponse): { before: Promise<void>; sent: Promise<void> } {
    const before = this.#last;
    const sent = new Promise<void>((resolve) => {
      const end = () => {
        this.#open.delete(end);
        resolve();
      };
      this.#open.add(end);
      response.once("close", end);
    });
    this.#last = sent;
    return { before, sent };
  }
}

const connections = new WeakMap<Socket, Connection>();

function connectionOf(socket: Socket): Connection {
  const connection = connections.get(socket) ?? new Connection(socket);
  connections.set(socket, connection);
  return connection;
}

async function answer({ load, params }: FoundRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const { socket } = request;
  const { before, sent } = connectionOf(socket).add(response);
  // Aborting makes an error with its stack: not for every answer that was sent.
  void sent.then(() => response.writableFinished || gone.abort());
  try {
    await before;
    if (socket.destroyed) return;
    socket.setTimeout(0);
    const call = requestOf(request, gone.signal);
    answerSlots().note(call, sent);
    await send(await perform(load, params, call), response);
  } catch (error) {
    // The client has left, or reading failed: the answer must not look complete.
    if (!response.destroyed && !response.headersSent)
      logLine(levelOf(error), "An answer could not be sent", errorFields(error));
    response.destroy();
  }
}

async function perform(load: ApiRoutes[string], params: Readonly<Record<string, string>>, request: Request) {
  try {
    const handler = (await load())[request.method as Method];
    return await handler(request, { params: Promise.resolve(params) });
  } catch (error) {
    return errorAnswer(error, { "x-request-id": randomUUID() });
  }
}

/** A request as route files take it. `signal` aborts when the client leaves. */
function requestOf(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = request;
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const bodyless = method === "GET" || method === "HEAD";
  return new Request(`http://localhost${url}`, {
    method,
    headers: given,
    signal,
    ...(bodyless ? {} : { body: ReadableStream.from(bytesOf(request)), duplex: "half" }),
  } as unknown as RequestInit);
}

/** Sends an answer that is complete with its length; a stream as it comes. */
async function send(answered: Response, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[] | number> = {
    ...securityHeaders,
    ...Object.fromEntries(answered.headers),
  };
  const cookies = answered.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  if (answered.body === null) {
    response.writeHead(answered.status, headers).end();
    return;
  }
  const reader = answered.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  // The client may have left before there was an answer.
  if (response.destroyed) {
    cancel();
    return;
  }
  response.once("close", cancel);
  const first = await reader.read();
  const second = reader.read();
  if (first.done || (await Promise.race([second, afterThisTurn()]))?.done) {
    const bytes = first.value ?? nothing;
    if (bytes.length > response.writableHighWaterMark) response.setTimeout(readsNothingMsMax);
    response.writeHead(answered.status, { ...headers, "content-length": bytes.length }).end(bytes);
    return;
  }
  response.writeHead(answered.status, headers);
  const write = async (bytes: Uint8Array) => {
    if (!response.write(bytes)) await drained(response);
  };
  await write(first.value);
  for (let part = await second; !part.done && !response.destroyed; part = await reader.read()) await write(part.value);
  response.end();
}

const nothing = new Uint8Array();

/** Resolves when the client has read what was written, or has left. */
function drained(response: ServerResponse): Promise<void> {
  response.setTimeout(readsNothingMsMax);
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go).setTimeout(0);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}

function afterThisTurn(): Promise<null> {
  return new Promise((resolve) => setImmediate(resolve, null));
}
