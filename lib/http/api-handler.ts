// API calls on Node's own server, in front of Next: its routing costs several times a short call.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { errorAnswer } from "./envelope.ts";
import { requestOf } from "./files/file-handler.ts";
import type { RouteHandler } from "./route.ts";
import securityHeaders from "./security-headers.json" with { type: "json" };

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
    const steps = path === undefined ? null : decodedSteps(path);
    const found = steps && tree.find(steps);
    if (!found) return false;
    void answer(found, request, response);
    return true;
  };
}

/** Null if a step is encoded wrongly. */
function decodedSteps(path: string): string[] | null {
  try {
    return path.split("/").slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}

async function answer({ load, params }: FoundRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const answered = await perform(load, params, requestOf(request, gone.signal));
    await send(answered, response);
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

/** Sends an answer that is complete with its length; a stream as it comes. */
async function send(answered: Response, response: ServerResponse): Promise<void> {
  const headers: Record<string, string | string[] | number> = { ...always, ...Object.fromEntries(answered.headers) };
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
  let part = await reader.read();
  let next = reader.read();
  const isWhole = part.done || (await Promise.race([next, afterThisTurn()]))?.done === true;
  if (isWhole) {
    const bytes = part.value ?? nothing;
    response.writeHead(answered.status, { ...headers, "content-length": bytes.length }).end(bytes);
    return;
  }
  response.writeHead(answered.status, headers);
  while (!part.done && !response.destroyed) {
    if (!response.write(part.value)) await drained(response);
    part = await next;
    if (!part.done) next = reader.read();
  }
  response.end();
}

const nothing = new Uint8Array();

/** Names as in a `Headers`, so that an answer's own replace them. */
const always = Object.fromEntries(Object.entries(securityHeaders).map(([name, value]) => [name.toLowerCase(), value]));

/** Resolves when the client has taken what was written, or has left. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}

function afterThisTurn(): Promise<null> {
  return new Promise((resolve) => setImmediate(resolve, null));
}
