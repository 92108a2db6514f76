/** Headers that describe the body or its freshness. None of them outlives the answer or affects other URLs. */
const allowed = new Set([
  ...["content-type", "content-language", "content-disposition"],
  ...["cache-control", "expires", "etag", "last-modified", "vary", "retry-after"],
]);

/**
 * `X-` headers that this service, a proxy in front of it or browsers act on: `X-Accel-Redirect`, for example, makes
 * nginx send one of its own files.
 */
const reserved = [
  ...["x-execution-id", "x-request-id", "x-ratelimit-", "x-middleware-", "x-nextjs-", "x-next-", "x-vercel-"],
  ...["x-accel-", "x-sendfile", "x-lighttpd-", "x-litespeed-", "x-reproxy-", "x-forwarded-", "x-original-"],
  ...["x-content-type-options", "x-content-security-policy", "x-webkit-csp", "x-frame-options", "x-xss-protection"],
  ...["x-permitted-cross-domain-policies", "x-dns-prefetch-control", "x-ua-compatible", "x-http-method-override"],
];

/**
 * Why a flow's answer may not carry this header, as the end of a sentence; null if it may. An allow-list, because
 * browsers keep adding headers that affect a whole origin. `status`: null if not known yet.
 */
export function headerRefusal(name: string, value: string, status: number | null): string | null {
  const lower = name.trim().toLowerCase();
  if (lower === "location") {
    const isRedirect = status === null || (status >= 300 && status <= 399);
    return isRedirect ? null : "is sent with a status from 300 to 399 only";
  }
  // Each part has its own headers, and some browsers obey them.
  if (lower === "content-type" && /^\s*multipart\//i.test(value)) return "cannot be multipart";
  const isAllowed = lower.startsWith("x-") ? !reserved.some((prefix) => lower.startsWith(prefix)) : allowed.has(lower);
  return isAllowed ? null : "cannot be set by a flow";
}
