/** What describes the body or how long it keeps; none of it outlives the answer or reaches beyond its address. */
const allowed = new Set([
  ...["content-type", "content-language", "content-disposition"],
  ...["cache-control", "expires", "etag", "last-modified", "vary", "retry-after"],
]);

/**
 * Names of `X-` that mean something to this service, to a proxy in front of it or to browsers: `X-Accel-Redirect`
 * makes nginx send a file of its own, for one.
 */
const reserved = [
  ...["x-execution-id", "x-request-id", "x-ratelimit-", "x-middleware-", "x-nextjs-", "x-next-", "x-vercel-"],
  ...["x-accel-", "x-sendfile", "x-lighttpd-", "x-litespeed-", "x-reproxy-", "x-forwarded-", "x-original-"],
  ...["x-content-type-options", "x-content-security-policy", "x-webkit-csp", "x-frame-options", "x-xss-protection"],
  ...["x-permitted-cross-domain-policies", "x-dns-prefetch-control", "x-ua-compatible", "x-http-method-override"],
];

/**
 * Why a flow's answer may not carry this header, as the rest of a sentence; null when it may. A list of what is
 * allowed, not of what is not: browsers keep learning headers that act on a whole origin. `status`: null when it is not
 * known yet.
 */
export function whyHeaderRefused(name: string, value: string, status: number | null): string | null {
  const lower = name.trim().toLowerCase();
  if (lower === "location") {
    const isRedirect = status === null || (status >= 300 && status <= 399);
    return isRedirect ? null : "is sent with a status from 300 to 399 only";
  }
  // Its parts have headers of their own, which some browsers obey.
  if (lower === "content-type" && /^\s*multipart\//i.test(value)) return "cannot be multipart";
  const isAllowed = lower.startsWith("x-") ? !reserved.some((prefix) => lower.startsWith(prefix)) : allowed.has(lower);
  return isAllowed ? null : "cannot be set by a flow";
}
