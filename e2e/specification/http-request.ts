import type { Section } from "./section.ts";

export const httpRequest: Section = {
  output: [
    "The output is {status, headers, body}, JSON parsed",
    "http-request > a request > goes out as configured, and its answer is {status, headers, body}",
    "http-request > a request > the answer %j with %j reads as %j",
  ],
  defaults: [
    "method GET, timeout 30 s, no retries, and the other defaults",
    "lib/nodes/http-request.test.ts > the config > only the URL is required; the rest has defaults",
  ],
  "body-types": ["json, form and text bodies; a string goes as it is", "http-request > a request > body %j as %s"],
  timeout: ["`timeout` ends a request", "http-request > what does not work fails clearly > %s"],
  retries: [
    "What may pass is tried again: no answer, time-outs, 408, 425, 429, 5xx",
    "http-request > retries > status %i is tried again",
    "http-request > retries > a connection that breaks is tried again",
    "http-request > retries > a time-out is tried again",
  ],
  "no-retries": ["Other statuses are not", "http-request > retries > status %i is not"],
  "retry-delay": [
    "`retryDelay`, backoff exponential or fixed, and maxDelay",
    "lib/nodes/retry-policy.test.ts > how long to wait > exponential doubles up to maxDelay, and jitter adds up to a quarter",
    "lib/nodes/retry-policy.test.ts > how long to wait > fixed waits the same each time",
  ],
  "fail-on-status": [
    "400 or above fails the node unless failOnStatus is false",
    "http-request > an answer of 400 or above > fails the node unless failOnStatus is false",
  ],
  "idempotency-key": [
    "Idempotency-Key is execution and node, the same through retries",
    "http-request > Idempotency-Key > of %s is execution and node, the same through all retries",
  ],
  "idempotency-key-own": [
    "None with GET and HEAD; the flow's own wins",
    "http-request > Idempotency-Key > is not sent with GET and HEAD, and the flow's own goes before",
  ],
  "idempotency-key-crash": [
    "The same through a crash",
    "runs-survive-a-kill > 200 runs of a killed server complete after the next start, each node once, none repeated that was done",
  ],
  redirects: [
    "At most 5 redirects, each checked",
    "http-request > redirects > are followed up to 5 times",
    "http-request > redirects > are checked like the first address",
  ],
  "redirect-secrets": [
    "Authorization, Cookie and credentials stay behind when the origin changes",
    "http-request > redirects > to another origin go without Authorization and Cookie, to the same with them",
    "credential-use > a credential that is bound to hosts > stays behind when a redirect leads to another host",
  ],
  "follow-redirects": [
    "`followRedirects: false` gives the redirect",
    "http-request > redirects > are an answer with followRedirects false",
  ],
  credential: [
    "`credential` names what is sent with it",
    "credential-use > a credential that a request names is sent > %s, in a header",
    "credential-use > a credential that a request names is sent > query, in the address",
  ],
  "private-addresses": [
    "Private addresses are refused unless OUTBOUND_ALLOW opens them",
    "lib/platform/outbound/blocked-addresses.test.ts > no URL of the list reaches the inside > $id",
  ],
};
