import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import type { Deadline } from "./deadline.ts";
import { type Hop, isRedirect, nextHop } from "./next-hop.ts";
import type { OutboundAnswer, OutboundRequest, OutboundStream } from "./outbound.ts";
import { OutboundError, translateError } from "./outbound-error.ts";
import { readBeginning, readBody, streamBody, tooLarge } from "./read-body.ts";

const redirectsMax = 5;

/** How long an exchange may take and be idle. */
interface Times {
  readonly deadline: Deadline;
  readonly idleMs?: number | undefined;
}

/** The last answer of an exchange, with its body unread. */
interface Opened {
  readonly answer: Dispatcher.ResponseData;
  readonly headers: Map<string, string>;
  readonly hop: Hop;
}

/** Sends a request, follows redirects if allowed, and passes the last answer to `take`. Throws OutboundError. */
export async function exchange<Taken>(
  agent: Agent,
  first: Hop,
  request: OutboundRequest,
  times: Times,
  take: (opened: Opened) => Promise<Taken> | Taken,
): Promise<Taken> {
  const { deadline } = times;
  const secretHeaders = new Set((request.secretHeaders ?? []).map((name) => name.toLowerCase()));
  let hop = first;
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await dispatch(agent, hop, times);
      const headers = joinHeaders(answer.headers);
      const location = isRedirect(answer.statusCode) ? headers.get("location") : undefined;
      if (!request.followRedirects || location === undefined) return await take({ answer, headers, hop });
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

function dispatch(agent: Agent, hop: Hop, { deadline, idleMs }: Times): Promise<Dispatcher.ResponseData> {
  const { body } = hop;
  const headers = Object.fromEntries(hop.headers);
  const isStream = typeof body === "object";
  // A known length avoids chunked encoding, which many receivers refuse for uploads.
  if (isStream) headers["content-length"] = String(body.bytes);
  return deadline.race(
    agent.request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method as Dispatcher.HttpMethod,
      headers,
      body: isStream ? Readable.from(body.open(), { objectMode: false }) : (body ?? null),
      signal: deadline.signal,
      responseHeaders: "raw",
      ...(idleMs === undefined ? {} : { bodyTimeout: idleMs }),
    }),
  );
}

/** Names and values alternate in `raw`, so a header named `__proto__` is an ordinary name. */
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

/** Reads the whole answer into memory, or only its beginning if requested. */
export async function readAnswer(opened: Opened, request: OutboundRequest, bytesMax: number): Promise<OutboundAnswer> {
  const { answer, headers } = opened;
  if (request.bodyBytesRead !== undefined) {
    const body = await readBeginning(answer.body, request.bodyBytesRead, request.bodyMayBreakOff);
    return { status: answer.statusCode, headers: Object.fromEntries(headers), body };
  }
  const coding = codingOf(opened, bytesMax);
  const { body, decoded } = await readBody(answer.body, coding, bytesMax);
  if (decoded) forgetCoding(headers);
  return { status: answer.statusCode, headers: Object.fromEntries(headers), body };
}

/**
 * Streams the answer. `deadlineOfBody` is called once the head has arrived; the deadline is cleared when the body has
 * ended.
 */
export function streamOf(opened: Opened, bytesMax: number, deadlineOfBody: () => Deadline): OutboundStream {
  const { answer, headers, hop } = opened;
  const { chunks, decoded } = streamBody(answer.body, codingOf(opened, bytesMax), bytesMax);
  if (decoded) forgetCoding(headers);
  const deadline = deadlineOfBody();
  const body = async function* () {
    try {
      yield* chunks;
    } catch (error) {
      throw deadline.signal.aborted ? deadline.signal.reason : translateError(error, hop.url.host);
    } finally {
      deadline.clear();
      answer.body.on("error", () => {}).destroy();
    }
  };
  return { status: answer.statusCode, headers: Object.fromEntries(headers), body: body() };
}

/** The body's encoding; undefined without a body. Throws if its declared size is too large. */
function codingOf({ answer, headers, hop }: Opened, bytesMax: number): string | undefined {
  const bodyless = hop.method === "HEAD" || answer.statusCode === 204 || answer.statusCode === 304;
  if (bodyless) return undefined;
  if (Number(headers.get("content-length")) <= bytesMax || !headers.has("content-length")) {
    return headers.get("content-encoding");
  }
  answer.body.on("error", () => {}).destroy();
  throw tooLarge(bytesMax);
}

function forgetCoding(headers: Map<string, string>): void {
  headers.delete("content-encoding");
  headers.delete("content-length");
}
