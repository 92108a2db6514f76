import { isMadeKey } from "#lib/auth/api-key-format.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { depthMax, depthOf } from "#lib/engine/flow-body.ts";
import { AppError } from "#lib/errors.ts";
import { callerAddress } from "#lib/http/authenticate.ts";
import { readBytes } from "#lib/http/read-body.ts";
import { env } from "#lib/platform/env.ts";
import { giveWayAfter } from "#lib/platform/turns.ts";
import { triggerBody, valuesByName } from "./trigger-body.ts";

/** A call to a trigger URL, read. */
export interface TriggerCall {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  readonly method: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly respondAtOnce: boolean;
}

/** Checks `config.authentication`; gives the names of the headers that showed a secret. Throws UNAUTHORIZED. */
export type Authenticate<Flow> = (
  flow: Flow,
  trigger: FlowTrigger,
  request: IncomingCall,
  rawBody: Buffer,
) => Promise<readonly string[]>;

export type ReadBody = () => Promise<Buffer>;

/** The body's bytes, read when they are first asked for. */
export function readOnce(request: IncomingCall): ReadBody {
  let bytes: Promise<Buffer> | undefined;
  return () => {
    bytes ??= request.bytes(env().maxBodyBytes);
    return bytes;
  };
}

/** Reads a call, and checks who calls. Throws UNAUTHORIZED, PAYLOAD_TOO_LARGE, VALIDATION_ERROR. */
export async function readCall<Flow>(
  authenticate: Authenticate<Flow>,
  { flow, trigger }: { readonly flow: Flow; readonly trigger: FlowTrigger },
  request: IncomingCall,
  body: ReadBody,
): Promise<TriggerCall> {
  const authentication = trigger.config.authentication ?? "none";
  // A signature is over the body; every other check comes before anything of the body is read.
  const isOverBody = authentication === "hmac";
  const isChecked = authentication !== "none";
  const early = isChecked && !isOverBody ? await authenticate(flow, trigger, request, Buffer.alloc(0)) : [];
  const bytes = await body();
  const late = isOverBody ? await authenticate(flow, trigger, request, bytes) : [];
  const headers = passedHeaders(request.headers, [...early, ...late]);
  if (depthOf(headers) > depthMax) {
    throw new AppError("VALIDATION_ERROR", "Flows call one another too deeply", {
      details: { depth: `at most ${depthMax} flows may call one another` },
    });
  }
  // Before and after: bodies that come at once are parsed one after the other.
  await giveWayAfter(bytes.length);
  const read = triggerBody(bytes, request.headers.get("content-type"));
  await giveWayAfter(bytes.length);
  return {
    body: read,
    headers,
    query: queryOf(request.url),
    method: request.method,
    ip: callerAddress(headers["x-forwarded-for"]),
    userAgent: headers["user-agent"] ?? null,
    respondAtOnce:
      trigger.config.respond === "immediately" || /\brespond-async\b/i.test(request.headers.get("prefer") ?? ""),
  };
}

function queryOf(url: string): Record<string, string | string[]> {
  const at = url.indexOf("?");
  return at < 0 ? {} : valuesByName(new URL(url).searchParams);
}

/**
 * The request's headers, without what signs people in to this service: a flow has no business with it. Headers that
 * showed a credential's secret are there, and hidden: what starts a run is stored and told.
 */
function passedHeaders(headers: CallHeaders, secretHeaders: readonly string[]): Record<string, string> {
  const passed = headers.all();
  for (const name of secretHeaders) if (passed[name] !== undefined) passed[name] = "•••";
  if (/next-auth\.|authjs\./.test(passed.cookie ?? "")) delete passed.cookie;
  const bearer = /^bearer +(\S+)$/i.exec(passed.authorization ?? "")?.[1];
  if (bearer !== undefined && isOwnKey(bearer)) delete passed.authorization;
  return passed;
}

/** Whether it looks like a key that this service made, or is the one that its operator chose. */
function isOwnKey(bearer: string): boolean {
  return isMadeKey(bearer) || bearer === env().bootstrap?.apiKey;
}

/** As much of a request as a trigger URL looks at, whoever received it. */
export interface IncomingCall {
  readonly method: string;
  readonly url: string;
  readonly headers: CallHeaders;
  /** The body. Throws PAYLOAD_TOO_LARGE. */
  bytes(bytesMax: number): Promise<Buffer>;
}

/** Lower-case names; repeated headers joined. */
export interface CallHeaders {
  get(name: string): string | null;
  /** All of them, in an object of the caller's own. */
  all(): Record<string, string>;
}

/** A request that Next received. */
export function callOf(request: Request): IncomingCall {
  const { method, url, headers } = request;
  return {
    method,
    url,
    headers: { get: (name) => headers.get(name), all: () => Object.fromEntries(headers) },
    bytes: (bytesMax) => readBytes(request, bytesMax),
  };
}
