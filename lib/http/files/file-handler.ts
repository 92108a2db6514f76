import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { AppError } from "#lib/errors.ts";
import type { RouteHandler } from "#lib/http/route.ts";
import { levelOf } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";

type Routes = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RouteHandler>>;

/** The routes of files, handled in front of Next, which would send a stream without its length. */
export interface FileRoutes {
  readonly files: Routes;
  readonly file: Routes;
}

const filePath = /^\/(?:api\/)?v1\/files(?:\/([^/?]+))?\/?(?:\?|$)/;

/** Answers requests for files; false for any other request. */
export function answerFileCall(routes: FileRoutes, request: IncomingMessage, response: ServerResponse): boolean {
  const found = filePath.exec(request.url ?? "");
  const method = request.method as keyof Routes;
  if (found === null) return false;
  const [, id] = found;
  const handlers = id === undefined ? routes.files : routes.file;
  if (!Object.hasOwn(handlers, method)) return false;
  const params: Record<string, string> = id === undefined ? {} : { id: decoded(id) };
  void handlers[method](requestOf(request), { params: Promise.resolve(params) })
    .then((answered) => send(answered, response))
    .catch((error) => {
      // The client has left, or reading failed: the answer must not look complete.
      if (!response.destroyed && !response.headersSent)
        logLine(levelOf(error), "A file could not be sent", errorFields(error));
      response.destroy();
    });
  return true;
}

/** A malformed escape cannot be a file's id. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** A request as route files take it. `signal`: aborted when the client leaves. */
export function requestOf(request: IncomingMessage, signal?: AbortSignal): Request {
  const { method = "GET", url = "/", headers } = request;
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const bodyless = method === "GET" || method === "HEAD";
  return new Request(`http://localhost${url}`, {
    method,
    headers: given,
    ...(signal && { signal }),
    ...(bodyless ? {} : { body: ReadableStream.from(bytesOf(request)), duplex: "half" }),
  } as unknown as RequestInit);
}

/** Does not read ahead. If the request is abandoned, keeps the connection for the answer. */
export async function* bytesOf(request: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError("VALIDATION_ERROR", "The request was cut off", { cause });
  }
}

async function send(answered: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) {
    response.end();
    return;
  }
  try {
    await pipeline(answered.body as AsyncIterable<Uint8Array>, response);
  } catch {
    // The producer of the bytes has logged it, or the reader has left.
    response.destroy();
  }
}
