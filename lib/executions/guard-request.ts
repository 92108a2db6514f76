import { NodeFailure, type OutboundRequest } from "#lib/nodes/define.ts";
import { hostFailure, mayBeSentTo } from "#lib/nodes/http-request/allowed-hosts.ts";
import { createMask, type SecretMask } from "./mask-secrets.ts";
import type { Run, RunSecret } from "./run.ts";

/**
 * A request as it may leave, with what expressions wrote into it: a header that holds a secret stays behind when a
 * redirect leads to another origin, and a credential that is bound to hosts is sent to no other. Throws NodeFailure.
 */
export function guardRequest(run: Run, request: OutboundRequest): OutboundRequest {
  if (run.secrets.size === 0) return request;
  const holds = (text: string) => run.mask.text(text) !== text;
  const secretHeaders = Object.entries(request.headers).flatMap(([name, value]) => (holds(value) ? [name] : []));
  const followRedirects = request.followRedirects && !holdsBound(run, request);
  return { ...request, followRedirects, secretHeaders: [...(request.secretHeaders ?? []), ...secretHeaders] };
}

/** Whether the body holds a bound secret: a redirect could carry it on to any host. */
function holdsBound(run: Run, { url, headers, body = "" }: OutboundRequest): boolean {
  const { hostname } = new URL(url);
  let isInBody = false;
  for (const [name, secret] of run.secrets) {
    const { allowedHosts } = secret;
    if (allowedHosts.length === 0) continue;
    const mask = maskOf(secret);
    const holds = (text: string) => mask.text(text) !== text;
    const isInUrl = mask.message(url) !== url;
    isInBody ||= holds(body);
    if (mayBeSentTo(allowedHosts, hostname)) continue;
    if (isInUrl || [body, ...Object.values(headers)].some(holds)) {
      throw new NodeFailure("CREDENTIAL_HOST", hostFailure(name, allowedHosts, hostname));
    }
  }
  return isInBody;
}

/** Made once for all requests of a run. */
const masks = new WeakMap<RunSecret, SecretMask>();

function maskOf(secret: RunSecret): SecretMask {
  const mask = masks.get(secret) ?? createMask(secret.values);
  masks.set(secret, mask);
  return mask;
}
