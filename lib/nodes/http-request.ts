import { plainHandle } from "#lib/engine/node-types.ts";
import { defineNode, type NodeContext, type NodeCredential } from "./define.ts";
import { answerBody, statusFailure } from "./http-request/answer-body.ts";
import { applyCredential } from "./http-request/apply-credential.ts";
import { type HttpRequestConfig, httpRequestConfig } from "./http-request/config.ts";
import { type FileOrAnswer, requestFile } from "./http-request/file-answer.ts";
import { multipartBody } from "./http-request/multipart-body.ts";
import type { OutboundRequest, StreamedBody } from "./http-request/outbound-request.ts";
import { requestPages } from "./http-request/pagination.ts";
import { asText, requestBody, requestUrl, shownUrl } from "./http-request/request.ts";
import { sendWithRetries } from "./http-request/send-with-retries.ts";

export const httpRequest = defineNode({
  type: "http-request",
  name: "HTTP request",
  family: "action",
  icon: "world",
  iconPath:
    "M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18",
  summary: ["{method:text|GET}[ {url:address}]"],
  description: `Sends a request and gives back the answer as \`{status, headers, body}\`. A JSON body is parsed, text is a
string, anything else is base64, and an empty body is null; header names are lower case.

With \`responseType: "file"\` the body is stored as it comes, and \`body\` is its reference; with \`bodyType: "multipart"\`
references among the body's values are sent as files. With \`pagination\`, \`body\` has the items of all pages, beside
\`pages\` and \`isComplete\`: \`{"next": "$response.body.links.next", "items": "$response.body.data"}\`.

A status of 400 or above fails the node unless \`failOnStatus\` is false. \`retry\` tries again after no answer, a
time-out, or 408, 425, 429 and 5xx; it heeds \`Retry-After\`, up to \`maxDelay\`. Every method but GET and HEAD carries
an \`Idempotency-Key\` that stays the same through all retries, so that the receiver can tell a repetition; set the
header yourself to choose another. The retry of a run that did not complete sends the same key with the same request.

**Example.** Create an order and go on with its number:

\`\`\`json
{
  "method": "POST",
  "url": "https://api.example.com/orders",
  "query": { "notify": true },
  "credential": "shop",
  "body": { "customer": "{{ $trigger.body.customer }}", "items": "{{ $trigger.body.items }}" },
  "retry": { "maxRetries": 3 }
}
\`\`\`

The answer \`{"id": 17}\` makes \`{{ $nodes['create-order'].output.body.id }}\` 17 in every later node.

Only public addresses can be reached, unless whoever runs the service has opened others with \`OUTBOUND_ALLOW\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: ({ method = "GET" }) => (typeof method === "string" && isPlainRead(method) ? "read" : "write"),
  // What pages and files come to cannot be told from one recorded answer.
  unrepeatable: ({ pagination, responseType }) => pagination !== undefined || responseType === "file",
  sends: ["method", "url", "query", "headers", "credential", "body", "bodyType"],
  showsRetries: true,
  credentialNames: ({ credential }) => (typeof credential === "string" ? [credential] : []),
  handles: plainHandle,
  config: httpRequestConfig,
  example: {
    method: "POST",
    url: "https://api.example.com/orders",
    query: { notify: true },
    credential: "shop",
    body: { customer: "{{ $trigger.body.customer }}", items: "{{ $trigger.body.items }}" },
    retry: { maxRetries: 3 },
  },
  async run(config, context) {
    const first = requestUrl(config.url, config.query);
    const credential = config.credential ? await context.credential(config.credential) : undefined;
    const body = await bodyOf(config, context);
    const send = (url: URL) => sendTo(url, { config, credential, body }, context);
    if (config.pagination === undefined) return { output: await send(first) };
    const { isComplete, ...pages } = await requestPages(first, config.pagination, send, context);
    return { output: { ...pages, isComplete } };
  },
});

interface Sending {
  readonly config: HttpRequestConfig;
  readonly credential: NodeCredential | undefined;
  readonly body: SentBody | undefined;
}

/** Sends the request to an address, which a credential may add to, and reads or stores its answer. */
async function sendTo(to: URL, { config, credential, body }: Sending, context: NodeContext) {
  const url = new URL(to);
  const name = `${config.method} ${shownUrl(url)}`;
  const secretHeaders = credential ? applyCredential(credential, url).headers : {};
  const request: OutboundRequest = {
    method: config.method,
    url: url.href,
    headers: { ...(await headersOf(config, body, context)), ...lowerCase(secretHeaders) },
    ...(body ? { body: body.sent } : {}),
    timeoutMs: config.timeout,
    followRedirects: config.followRedirects,
    secretHeaders: Object.keys(secretHeaders),
    signal: context.signal,
  };
  const isFile = config.responseType === "file";
  const attempt: (request: OutboundRequest) => Promise<FileOrAnswer> = isFile
    ? (asked) => requestFile(asked, context)
    : (asked) => context.request(asked);
  const answer = await sendWithRetries(request, name, config.retry, context, attempt);
  if (config.failOnStatus && answer.status >= 400) {
    throw statusFailure(name, answer, secretsOf(credential, secretHeaders));
  }
  const { status, headers, file } = answer;
  return { status, headers, body: file ?? (await answerBody(headers["content-type"], answer.body)) };
}

/** A body as it is sent, and its type. */
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
  const made = requestBody(body, bodyType);
  return made && { sent: made.text, contentType: made.contentType };
}

async function bodyOf(config: HttpRequestConfig, context: NodeContext): Promise<SentBody | undefined> {
  const body = await madeBody(config, context);
  if (body === undefined || !isPlainRead(config.method)) return body;
  context.log("warning", `A ${config.method} request has no body: the configured one was not sent`);
  return undefined;
}

/** The flow's headers in lower case, each once, plus those that the node adds if the flow has none. */
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

function isPlainRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function secretsOf(credential: NodeCredential | undefined, headers: Readonly<Record<string, string>>): string[] {
  if (credential === undefined) return [];
  return [...Object.values(headers), ...Object.values(credential.data)];
}
