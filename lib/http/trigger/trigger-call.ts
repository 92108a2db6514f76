import { isGeneratedKey } from "#lib/auth/api-keys.ts";
import type { CalledTrigger, FlowTrigger } from "#lib/engine/flow.ts";
import { depthMax, depthOf } from "#lib/engine/flow-body.ts";
import { AppError } from "#lib/errors.ts";
import { callerAddress } from "#lib/http/authenticate.ts";
import type { ReceivedFile } from "#lib/http/files/receive-upload.ts";
import type { HeldBody } from "#lib/http/held-bodies.ts";
import { readBytes } from "#lib/http/read-body.ts";
import { env } from "#lib/platform/env.ts";
import type { BodyValue, CallBody, SavedFile } from "./call-body.ts";
import { valuesByName } from "./trigger-body.ts";

/** A parsed call to a trigger URL. */
export interface TriggerCall {
  /** The kind of trigger, which is also the run's source. */
  readonly type: CalledTrigger;
  readonly body: BodyValue;
  /** The size of the raw body. */
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

/** Parses a call and authenticates the caller. Throws UNAUTHORIZED, PAYLOAD_TOO_LARGE, VALIDATION_ERROR. */
export async function readCall<Flow>(
  authenticate: Authenticate<Flow>,
  { flow, trigger }: { readonly flow: Flow; readonly trigger: FlowTrigger },
  request: IncomingCall,
  body: CallBody,
  saveFile: (file: ReceivedFile) => Promise<SavedFile>,
): Promise<TriggerCall> {
  const authentication = trigger.config.authentication ?? "none";
  // A signature covers the body; all other checks happen before any of the body is read.
  const isOverBody = authentication === "hmac";
  const isChecked = authentication !== "none";
  const early = isChecked && !isOverBody ? await authenticate(flow, trigger, request, Buffer.alloc(0)) : [];
  const late = isOverBody ? await authenticate(flow, trigger, request, await body.bytes()) : [];
  const headers = passedHeaders(request.headers, [...early, ...late]);
  if (depthOf(headers) > depthMax) {
    throw new AppError("VALIDATION_ERROR", "Flows call one another too deeply", {
      details: { depth: `at most ${depthMax} flows may call one another` },
    });
  }
  const { value, bytes } = await body.read(saveFile);
  return {
    type: trigger.type === "form" ? "form" : "webhook",
    body: value,
    bodyBytes: bytes,
    headers,
    query: queryOf(request.url),
    method: request.method,
    ip: callerAddress(headers["x-forwarded-for"]),
    userAgent: headers["user-agent"] ?? null,
    respondAtOnce: trigger.config.respond === "immediately" || respondAsync.test(request.headers.get("prefer") ?? ""),
  };
}

/** The preference in a list of others, each of which may have a value. */
const respondAsync = /(?:^|,)\s*respond-async\s*(?:[,;=]|$)/i;

export function queryOf(url: string): Record<string, string | string[]> {
  const at = url.indexOf("?");
  return at < 0 ? {} : valuesByName(new URL(url).searchParams);
}

/**
 * The request's headers without this service's own credentials, which no flow may see. Headers that carried the
 * trigger's secret are masked, because a run's input is stored and shown.
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
  return isGeneratedKey(bearer) || bearer === env().bootstrap?.apiKey;
}

/** The parts of a request that a trigger URL uses, independent of the server. */
export interface IncomingCall {
  readonly method: string;
  readonly url: string;
  readonly headers: CallHeaders;
  /** The body. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE. */
  bytes(bytesMax: number, held: HeldBody): Promise<Buffer>;
  /** The body as a stream. */
  content(): AsyncIterable<Uint8Array>;
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
    bytes: (bytesMax, held) => readBytes(request, bytesMax, held),
    content: () => (request.body as AsyncIterable<Uint8Array> | null) ?? nothing(),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
