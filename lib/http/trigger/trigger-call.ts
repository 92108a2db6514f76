import { isMadeKey } from "#lib/auth/api-key-format.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { depthMax, depthOf } from "#lib/engine/flow-body.ts";
import { AppError } from "#lib/errors.ts";
import { callerAddress } from "#lib/http/authenticate.ts";
import { readBytes } from "#lib/http/read-body.ts";
import { env } from "#lib/platform/env.ts";
import { giveWayAfter } from "#lib/platform/turns.ts";
import { triggerBody, valuesByName } from "./trigger-body.ts";

/** A parsed call to a trigger URL. */
export interface TriggerCall {
  readonly body: unknown;
  /** How large the body was when it came. */
  readonly bodyBytes: number;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  readonly method: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly respondAtOnce: boolean;
}

/** Checks `config.authentication`; returns the names of the headers that carried a secret. Throws UNAUTHORIZED. */
export type Authenticate<Flow> = (
  flow: Flow,
  trigger: FlowTrigger,
  request: IncomingCall,
  rawBody: Buffer,
) => Promise<readonly string[]>;

export type ReadBody = () => Promise<Buffer>;

/** Reads the body's bytes on first use. */
export function readOnce(request: IncomingCall): ReadBody {
  let bytes: Promise<Buffer> | undefined;
  return () => {
    bytes ??= request.bytes(env().maxBodyBytes);
    return bytes;
  };
}

/** Parses a call and authenticates the caller. Throws UNAUTHORIZED, PAYLOAD_TOO_LARGE, VALIDATION_ERROR. */
export async function readCall<Flow>(
  authenticate: Authenticate<Flow>,
  { flow, trigger }: { readonly flow: Flow; readonly trigger: FlowTrigger },
  request: IncomingCall,
  body: ReadBody,
): Promise<TriggerCall> {
  const authentication = trigger.config.authentication ?? "none";
  // A signature covers the body; every other check comes before any of the body is read.
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
  // Before and after: concurrent bodies are parsed one after the other.
  await giveWayAfter(bytes.length);
  const read = await triggerBody(bytes, request.headers.get("content-type"));
  await giveWayAfter(bytes.length);
  return {
    body: read,
    bodyBytes: bytes.length,
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
 * The request's headers without this service's own credentials, which are none of a flow's business. Headers that
 * carried the trigger's secret are present but masked, because a run's input is stored and shown.
 */
function passedHeaders(headers: CallHeaders, secretHeaders: readonly string[]): Record<string, string> {
  const passed = headers.all();
  for (const name of secretHeaders) if (passed[name] !== undefined) passed[name] = "•••";
  if (/next-auth\.|authjs\./.test(passed.cookie ?? "")) delete passed.cookie;
  const bearer = /^bearer +(\S+)$/i.exec(passed.authorization ?? "")?.[1];
  if (bearer !== undefined && isOwnKey(bearer)) delete passed.authorization;
  return passed;
}

/** Whether it looks like one of this service's keys, or is the operator's own. */
function isOwnKey(bearer: string): boolean {
  return isMadeKey(bearer) || bearer === env().bootstrap?.apiKey;
}

/** The parts of a request that a trigger URL uses, independent of the server. */
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
  /** All of them, in a new object. */
  all(): Record<string, string>;
}

/** A request received by Next. */
export function callOf(request: Request): IncomingCall {
  const { method, url, headers } = request;
  return {
    method,
    url,
    headers: { get: (name) => headers.get(name), all: () => Object.fromEntries(headers) },
    bytes: (bytesMax) => readBytes(request, bytesMax),
  };
}
