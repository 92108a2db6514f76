import { plainHandle } from "#lib/engine/node-types.ts";
import { defineNode, type NodeContext, type NodeCredential } from "./define.ts";
import { answerBody, statusFailure } from "./http-request/answer-body.ts";
import { applyCredential } from "./http-request/apply-credential.ts";
import { type HttpRequestConfig, httpRequestConfig } from "./http-request/config.ts";
import { asText, type RequestBody, requestBody, requestUrl, shownUrl } from "./http-request/request.ts";
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
    const url = requestUrl(config.url, config.query);
    const name = `${config.method} ${shownUrl(url)}`;
    const credential = config.credential ? await context.credential(config.credential) : undefined;
    const secretHeaders = credential ? applyCredential(credential, url).headers : {};
    const body = bodyOf(config, context);
    const request = {
      method: config.method,
      url: url.href,
      headers: { ...(await headersOf(config, body, context)), ...lowerCase(secretHeaders) },
      ...(body ? { body: body.text } : {}),
      timeoutMs: config.timeout,
      followRedirects: config.followRedirects,
      secretHeaders: Object.keys(secretHeaders),
      signal: context.signal,
    };
    const answer = await sendWithRetries(request, name, config.retry, context);
    if (config.failOnStatus && answer.status >= 400) {
      throw statusFailure(name, answer, secretsOf(credential, secretHeaders));
    }
    const { status, headers } = answer;
    return { output: { status, headers, body: await answerBody(headers["content-type"], answer.body) } };
  },
});

function bodyOf(config: HttpRequestConfig, context: NodeContext): RequestBody | undefined {
  const body = requestBody(config.body, config.bodyType);
  if (body === undefined || !isPlainRead(config.method)) return body;
  context.log("warning", `A ${config.method} request has no body: the configured one was not sent`);
  return undefined;
}

/** The flow's headers in lower case, each once, plus those that the node adds if the flow has none. */
async function headersOf(
  config: HttpRequestConfig,
  body: RequestBody | undefined,
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
