import { isJsonObject } from "#lib/engine/json.ts";
import { type NodeContext, type NodeCredential, NodeFailure } from "../define.ts";
import { answerBody, type FileOrAnswer, requestFile, statusFailure } from "./answer-body.ts";
import { applyCredential, awsHeaders } from "./apply-credential.ts";
import type { HttpRequestConfig } from "./config.ts";
import { multipartBody } from "./multipart-body.ts";
import type { OutboundRequest, StreamedBody } from "./outbound-request.ts";
import { type BodyField, type Pages, type Response, requestPages } from "./pagination.ts";
import { asText, requestBody, requestUrl, shownUrl } from "./request.ts";
import { sendWithRetries } from "./send-with-retries.ts";

/**
 * Sends a config's request with its credential and retries, once or page by page. `requireAccepted` throws for an
 * answer, or a page, whose body reports an error. Throws NodeFailure.
 */
export async function sendRequest(
  config: HttpRequestConfig,
  context: NodeContext,
  requireAccepted: (body: unknown) => void = () => {},
): Promise<Response | Pages> {
  const first = requestUrl(config.url, config.query);
  let credential = config.credential ? await context.credential(config.credential) : undefined;
  const body = await bodyOf(config, context);
  const send = async (url: URL, field?: BodyField) => {
    const sent = field === undefined ? body : await bodyOf(withField(config, field), context);
    const sending = { config, credential, body: sent };
    const answer = await attemptAt(url, sending, context);
    if (answer.status !== 401 || credential?.type !== "oauth2") return await responseOf(answer, url, sending);
    const refused = credential.data.accessToken;
    credential = await context.credential(credential.name, refused);
    const retried = { ...sending, credential };
    if (credential.data.accessToken === refused) return await responseOf(answer, url, retried);
    context.log("warning", `${nameOf(url, config)} answered 401. It is sent again with a renewed access token`, {
      status: 401,
    });
    context.retried();
    return await responseOf(await attemptAt(url, retried, context), url, retried);
  };
  const sendAccepted = async (url: URL, field?: BodyField) => {
    const answer = await send(url, field);
    requireAccepted(answer.body);
    return answer;
  };
  if (config.pagination === undefined) return await sendAccepted(first);
  const { isComplete, ...pages } = await requestPages(first, config.pagination, sendAccepted, context);
  return { ...pages, isComplete };
}

/** Adds a page's field to the body. Throws NodeFailure if the body is not an object. */
function withField(config: HttpRequestConfig, [name, value]: BodyField): HttpRequestConfig {
  const { method, bodyType = "json" } = config;
  const body = config.body ?? {};
  const isSent = method !== "GET" && method !== "HEAD";
  if (isSent && isJsonObject(body) && (bodyType === "json" || bodyType === "form")) {
    return { ...config, body: { ...body, [name]: value } };
  }
  throw new NodeFailure(
    "INVALID_CONFIG",
    "pagination.in: no object is sent as the body, so a page has no place in it",
    {
      field: "pagination.in",
    },
  );
}

interface Sending {
  readonly config: HttpRequestConfig;
  readonly credential: NodeCredential | undefined;
  readonly body: SentBody | undefined;
}

const nameOf = (url: URL, { method }: HttpRequestConfig) => `${method} ${shownUrl(url)}`;

/** Sends the request to a URL, to which a credential may add, with retries. */
async function attemptAt(to: URL, { config, credential, body }: Sending, context: NodeContext): Promise<FileOrAnswer> {
  const url = new URL(to);
  const secretHeaders = appliedTo(url, credential);
  const unsigned: OutboundRequest = {
    method: config.method,
    url: url.href,
    headers: { ...(await headersOf(config, body, context)), ...lowerCase(secretHeaders) },
    ...(body ? { body: body.sent } : {}),
    timeoutMs: config.timeout,
    followRedirects: config.followRedirects,
    secretHeaders: Object.keys(secretHeaders),
    signal: context.signal,
  };
  const request = credential?.type === "aws" ? await signed(unsigned, credential, context) : unsigned;
  const isFile = config.responseType === "file";
  const attempt: (request: OutboundRequest) => Promise<FileOrAnswer> = isFile
    ? (outgoing) => requestFile(outgoing, context)
    : (outgoing) => context.request(outgoing);
  return await sendWithRetries(request, nameOf(to, config), config.retry, context, attempt);
}

/** Applies a credential that does not sign: returns its headers, or adds to the URL. */
function appliedTo(url: URL, credential: NodeCredential | undefined): Readonly<Record<string, string>> {
  return credential === undefined || credential.type === "aws" ? {} : applyCredential(credential, url).headers;
}

/** Turns an answer into the node's output. Throws NodeFailure for an error status. */
async function responseOf(answer: FileOrAnswer, url: URL, { config, credential }: Sending): Promise<Response> {
  const { status, headers, file } = answer;
  if (config.failOnStatus && status >= 400) {
    const failure = statusFailure(nameOf(url, config), answer, secretsOf(credential, url));
    if (status !== 401 || credential?.type !== "oauth2") throw failure;
    const message = `The access token of "${credential.name}" is not accepted: connect the credential again if this continues`;
    throw new NodeFailure(failure.code, `${failure.message}. ${message}`);
  }
  return { status, headers, body: file ?? (await answerBody(headers["content-type"], answer.body)) };
}

/** Signs the request. A redirect would need another signature, so none is followed. */
async function signed(
  request: OutboundRequest,
  credential: NodeCredential,
  context: NodeContext,
): Promise<OutboundRequest> {
  const headers = await awsHeaders(credential, request, context);
  return { ...request, headers, followRedirects: false };
}

/** A body ready to send, and its type. */
interface SentBody {
  readonly sent: string | StreamedBody;
  readonly contentType: string;
}

async function madeBody({ body, bodyType }: HttpRequestConfig, context: NodeContext): Promise<SentBody | undefined> {
  if (body === undefined || body === null) return undefined;
  if (bodyType === "multipart") {
    const { contentType, ...sent } = await multipartBody(body, context);
    return { sent, contentType };
  }
  if (bodyType === "file") {
    const file = await context.files.find(body);
    const sent = { bytes: file.size, text: "", open: () => context.files.open(file) };
    return { sent, contentType: file.contentType };
  }
  const made = await requestBody(body, bodyType);
  return made && { sent: made.text, contentType: made.contentType };
}

async function bodyOf(config: HttpRequestConfig, context: NodeContext): Promise<SentBody | undefined> {
  const body = await madeBody(config, context);
  if (body === undefined || !isPlainRead(config.method)) return body;
  context.log("warning", `A ${config.method} request has no body: the configured one was not sent`);
  return undefined;
}

/** The flow's headers in lowercase, without duplicates, plus defaults for those that the flow does not set. */
async function headersOf(
  config: HttpRequestConfig,
  body: SentBody | undefined,
  context: NodeContext,
): Promise<Record<string, string>> {
  const own = lowerCase(config.headers);
  const isKeyed = !isPlainRead(config.method) && own["idempotency-key"] === undefined;
  const added = {
    ...(body ? { "content-type": body.contentType } : {}),
    ...(isKeyed ? { "idempotency-key": await context.idempotencyKey() } : {}),
  };
  return { ...added, ...own };
}

function lowerCase(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), asText(value)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function isPlainRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function secretsOf(credential: NodeCredential | undefined, url: URL): string[] {
  if (credential === undefined) return [];
  return [...Object.values(appliedTo(new URL(url), credential)), ...Object.values(credential.data)];
}
