import { plainHandle } from "#lib/engine/node-types.ts";
import { defineNode } from "./define.ts";
import { httpRequestConfig } from "./http-request/config.ts";
import { isPlainRead, sendRequest } from "./http-request/send-request.ts";

export const httpRequest = defineNode({
  type: "http-request",
  name: "HTTP request",
  keywords: ["api", "rest", "fetch", "curl", "webhook"],
  family: "action",
  icon: "world",
  iconPath:
    "M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18",
  summary: ["{method:text|GET}[ {url:address}]"],
  description: `Sends a request and returns the response as \`{status, headers, body}\`. A JSON body is parsed, text is a
string, anything else is base64, and an empty body is null; header names are lower case.

With \`responseType: "file"\` the body is stored as it arrives, and \`body\` is its reference; with \`bodyType: "multipart"\`
references among the body's values are sent as files. With \`pagination\`, \`body\` has the items of all pages, next to
\`pages\` and \`isComplete\`: \`{"next": "$response.body.links.next", "items": "$response.body.data"}\`.

A status of 400 or above fails the node unless \`failOnStatus\` is false. \`retry\` tries again after no response, a
timeout, or 408, 425, 429 and 5xx; it respects \`Retry-After\`, up to \`maxDelay\`. Every method but GET and HEAD carries
an \`Idempotency-Key\` that stays the same through all retries, so that the receiver can detect a repeat; set the
header yourself to choose another. The retry of a run that did not complete sends the same key with the same request.

**Example.** Create an order and continue with its number:

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

The response \`{"id": 17}\` makes \`{{ $nodes['create-order'].output.body.id }}\` 17 in every later node.

Only public addresses can be reached, unless the operator has opened others with \`OUTBOUND_ALLOW\`.`,
  effect: "outside",
  ignoresInput: true,
  acts: ({ method = "GET" }) => (typeof method === "string" && isPlainRead(method) ? "read" : "write"),
  // Results of pages and files cannot be computed from one recorded answer.
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
  run: async (config, context) => ({ output: await sendRequest(config, context) }),
});
